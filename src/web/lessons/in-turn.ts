import type { Appointment } from '../../contract/appointment.ts'

const turns = new Map<string, Promise<Appointment>>()

/**
 * Sends one request about a lesson at a time: who moves it again before the first move has been answered changes what that
 * has left, and is no other clerk. `work` gets the lesson as last answered, and answers how it stands then.
 */
export function inTurn(
  lesson: Appointment,
  work: (latest: Appointment) => Promise<Appointment>,
): Promise<Appointment> {
  const before = turns.get(lesson.id) ?? Promise.resolve(lesson)
  const turn = before.then(work)
  turns.set(lesson.id, turn)
  void turn.finally(() => {
    if (turns.get(lesson.id) === turn) turns.delete(lesson.id)
  })
  return turn
}
