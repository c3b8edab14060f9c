/** Stop a projection where it is, as a failed batch would, and end the term of its leader. */
export async function stopProjection(
  postgres: { query(text: string): Promise<unknown> },
  schema: string,
  name: string,
): Promise<void> {
  await postgres.query(
    `UPDATE "${schema}".checkpoint SET fencing = NULL;
     UPDATE "${schema}".state s SET status = 'failed', position = c.position, event_id = c.event_id
     FROM "${schema}".checkpoint c WHERE s.name = '${name}'`,
  )
}
