import type { Appointment } from '../../contract/appointment.ts'

const turns = new Map<string, Promise<Appointment>>()

/**
 * Sends one request about a lesson at a time: who changes it again before the first change has been answered changes what that
 * has left, and is no other clerk. `work` gets the lesson as last answered, and answers how it stands then; where it throws,
 * the lesson stands as before.
 *
 * The `scope` of TanStack's mutations keeps the order too, but hands nothing on from one to the next. The version to send
 * would have to come from the lists, where it may be another clerk's, who is overwritten then.
 */
export function inOrder(
  lesson: Appointment,
  work: (latest: Appointment) => Promise<Appointment>,
): Promise<Appointment> {
  const before = turns.get(lesson.id) ?? Promise.resolve(lesson)
  const turn = before.then(work)
  const left = turn.catch(() => before)
  turns.set(lesson.id, left)
  void left.finally(() => {
    if (turns.get(lesson.id) === left) turns.delete(lesson.id)
  })
  return turn
}
