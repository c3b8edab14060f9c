/** The texts that say why a request to a webhook failed, or why nothing is sent. */

export const webhookTexts = {
  WebhookAnswered: { en: 'The endpoint answered {status}.', de: 'Der Endpunkt antwortete mit {status}.' },
  WebhookRedirected: {
    en: 'The endpoint answered {status}, and redirects are not followed.',
    de: 'Der Endpunkt antwortete mit {status}, und Weiterleitungen werden nicht befolgt.',
  },
  WebhookGone: { en: 'The endpoint answered 410 Gone.', de: 'Der Endpunkt antwortete mit 410 Gone.' },
  WebhookLate: {
    en: 'There was no answer within {seconds} seconds.',
    de: 'Es kam keine Antwort innerhalb von {seconds} Sekunden.',
  },
  WebhookUnreachable: { en: 'There was no answer: {why}', de: 'Es kam keine Antwort: {why}' },
  WebhookGivenUp: {
    en: 'The last of {tries} tries failed: {why}',
    de: 'Der letzte von {tries} Versuchen misslang: {why}',
  },
  WebhookPositionUnknown: {
    en: 'The event store does not have the position after which changes were to be sent.',
    de: 'Der Ereignisspeicher hat die Position nicht, nach der Änderungen zu senden waren.',
  },
}
