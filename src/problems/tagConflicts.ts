import { z } from 'zod'
import type { ProblemDeclaration } from './declaration.ts'

/** A request conflicts with the tags or the rule packs of the company. */

const clash = z.object({ family: z.enum(['millCert', 'order']), name: z.string(), tagId: z.guid() })

export const tagConflicts = {
  'tag-name-taken': {
    status: 409,
    title: 'A tag has this name',
    meaning: 'Names of tags are unique in a company and family, so nothing was recorded.',
    occurs:
      'Another active tag has the name in some spelling, or tags of the company have names that a rule pack brings.',
    remedy: 'Choose another name, or rename the tag that has it. Letter case and white space do not count.',
    members: z.object({
      tagId: z.guid().optional().meta({ description: 'The tag that has the name.' }),
      clashes: z
        .array(clash)
        .optional()
        .meta({ description: 'For a rule pack: every name that another tag has, active or deleted.' }),
    }),
  },
  'tag-name-soft-deleted': {
    status: 409,
    title: 'A soft-deleted tag holds this name',
    meaning: 'A soft-deleted tag keeps its name reserved, so nothing was recorded.',
    occurs: 'A tag with the name in some spelling was soft-deleted.',
    remedy: 'Restore that tag, or choose another name.',
    members: z.object({ tagId: z.guid().meta({ description: 'The soft-deleted tag.' }) }),
  },
  'tag-deleted': {
    status: 409,
    title: 'The tag is soft-deleted',
    meaning: 'A soft-deleted tag cannot be changed, so nothing was recorded.',
    occurs: 'The tag of an update was soft-deleted.',
    remedy: 'Restore the tag first.',
  },
  'system-tag-read-only': {
    status: 409,
    title: 'The tag belongs to a rule pack',
    meaning: 'Only its rule pack changes a system tag, so nothing was recorded.',
    occurs: 'A system tag was to be updated, deleted or restored.',
    remedy: 'Change the subscription of the rule pack instead, or create a tag of the company.',
  },
  'too-many-tags': {
    status: 409,
    title: 'The company has too many tags',
    meaning: 'The family of tags has no room for more, so nothing was recorded.',
    occurs: 'A company has 2,000 tags of a family. Soft-deleted tags count.',
    remedy: 'Restore and rename a tag that is no longer used.',
  },
  'too-many-manual-tags': {
    status: 409,
    title: 'The record has too many manual tags',
    meaning: 'There is no room for another tag, so nothing was recorded.',
    occurs: 'A tag was to be assigned by hand to a record that has 100 such tags.',
    remedy: 'Take away a tag that is no longer needed.',
  },
  'rule-pack-not-subscribed': {
    status: 409,
    title: 'The company has not subscribed to the rule pack',
    meaning: 'There is no subscription to upgrade, so nothing was recorded.',
    occurs: 'An upgrade names a rule pack without a subscription.',
    remedy: 'Subscribe to the rule pack. That takes its present version.',
  },
  'rule-pack-already-exists': {
    status: 409,
    title: 'The rule pack exists with other content',
    meaning: 'A request to create a rule pack never changes one, so nothing was recorded.',
    occurs:
      'The id belongs to a rule pack of the service, or to one of the company whose newest version has other content.',
    remedy: 'Choose another id. To write the next version of a rule pack of the company, use PUT.',
    members: z.object({ rulePackId: z.string() }),
  },
  'too-many-rule-packs': {
    status: 409,
    title: 'The company has too many rule packs of its own',
    meaning: 'The company has no room for another rule pack, so nothing was recorded.',
    occurs: 'The company has written 20 rule packs.',
    remedy: 'Write the next version of a rule pack that is not used any more.',
  },
  'too-many-rule-pack-versions': {
    status: 409,
    title: 'The rule pack has too many versions',
    meaning: 'The rule pack has no room for another version, so nothing was recorded.',
    occurs: 'The company has written 1,000 versions of the rule pack.',
    remedy: 'Write a rule pack with another id.',
  },
  'rule-pack-subscribed': {
    status: 409,
    title: 'The company subscribes to the rule pack',
    meaning: 'Its rules are in force, so it was not deleted.',
    occurs: 'A company deletes a rule pack of its own while it subscribes to it.',
    remedy: 'Unsubscribe from the rule pack first.',
  },
  'own-rules-too-costly': {
    status: 409,
    title: 'The rules of the company would take too many steps',
    meaning:
      'The pack exceeds the limit together with the other packs that the company wrote, so nothing was recorded.',
    occurs:
      'All packs of its own that a company subscribes to may take at most 250,000 steps together, for one subject.',
    remedy: 'Make the rules of the pack simpler, or unsubscribe from another pack of the company.',
    members: z.object({
      cost: z.int().meta({ description: 'The steps of all these packs together, with this one.' }),
      limit: z.int(),
    }),
  },
  'rule-pack-newer': {
    status: 409,
    title: 'A newer version of the rule pack is in force',
    meaning: 'A subscription never goes back to an older version, so nothing was recorded.',
    occurs: 'The node that answered runs an older release than the one that upgraded the subscription.',
    remedy: 'Nothing needs to be done: the newer version stays in force.',
    members: z.object({
      subscribedVersion: z.int().meta({ description: 'The version that is in force.' }),
      version: z.int().meta({ description: 'The version in the release that answered.' }),
    }),
  },
} as const satisfies Record<string, ProblemDeclaration>
