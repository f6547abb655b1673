import type { Appointment } from '../../../contract/appointment.ts'
import { act, type Command, type Done, type Side } from '../../ui/undo/steps.ts'
import { changeCommand, type LessonContext } from '../lesson-commands.ts'

/** Marks lessons as done in one step and reports refusals. Returns whether it succeeded. */
export function markDone(context: LessonContext, lessons: readonly Appointment[]): Promise<boolean> {
  const { t } = context
  const label = t('unmarked.step', { count: lessons.length })
  const commands = lessons.map((lesson) => changeCommand(context, lesson, { status: 'completed' }))
  return act(together(context, commands), {
    message: ({ stands }) => ({
      text: stands ?? t('unmarked.marked', { count: lessons.length }),
      label,
    }),
    failed: (why) => `${t('booking.notSaved')}: ${why}`,
  })
}

/** Returns a command that runs others in order, as one step, and reports how many failed. It throws the first error if all did. */
function together(context: LessonContext, commands: readonly Command[]): Command {
  return {
    run: async () => {
      const done: Done[] = []
      const failures: { readonly command: Command; readonly error: unknown }[] = []
      for (const command of commands) {
        try {
          done.push(await command.run())
        } catch (error) {
          failures.push({ command, error })
        }
      }
      const [first] = failures
      if (first && done.length === 0) throw first.error
      const on = (side: Side) =>
        done.flatMap(({ rows }) => (rows?.kind === 'appointments' ? rows.on[side] : []))
      const sets = done.flatMap((one) => one.sets)
      const rows = { kind: 'appointments' as const, on: { undone: on('undone'), done: on('done') } }
      const step = { context, sets, rows }
      if (!first) return step
      const { why } = await first.command.explain(first.error)
      const stands = context.t('unmarked.partly', { done: done.length, count: failures.length, why })
      return { ...step, stands, isPartial: true }
    },
    explain: (error) => commands[0]?.explain(error) ?? { why: '' },
  }
}
