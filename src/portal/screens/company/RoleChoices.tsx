import { Choices } from '../../kit/Form.tsx'
import { useTexts } from '../../texts/texts.ts'
import { type Role, roles, useRoleNames } from './roles.ts'

interface RoleChoicesProps {
  readonly chosen: readonly Role[]
  /** Called with the roles in the order in which forms offer them. */
  readonly onChange: (chosen: Role[]) => void
}

/** The roles that somebody gets. */
export function RoleChoices({ chosen, onChange }: RoleChoicesProps) {
  const { t } = useTexts()
  const namesOf = useRoleNames()
  return (
    <Choices
      label={t('roles')}
      chosen={chosen}
      onChange={(values) => onChange(roles.filter((role) => values.includes(role)))}
      options={roles.map((role) => ({ value: role, text: namesOf(role) }))}
    />
  )
}
