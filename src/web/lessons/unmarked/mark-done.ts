import type { Appointment } from '../../../contract/appointment.ts'
import { act, type Command, type Done } from '../../ui/undo/steps.ts'
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

/** Returns a command that runs others in order and reports how many failed. It throws the first error if all did. */
function together({ t }: Pick<LessonContext, 't'>, commands: readonly Command[]): Command {
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
      const opposite = together(
        { t },
        done.map((one) => one.opposite),
      )
      if (!first) return { opposite }
      if (done.length === 0) throw first.error
      const { why } = first.command.explain(first.error)
      const stands = t('unmarked.partly', { done: done.length, count: failures.length, why })
      return { opposite, stands, isPartial: true }
    },
    explain: (error) => commands[0]?.explain(error) ?? { why: '' },
  }
}
