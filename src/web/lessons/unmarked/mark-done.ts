import type { Appointment } from '../../../contract/appointment.ts'
import { act, type Deed, type Done } from '../../ui/undo/steps.ts'
import { changing, type Desk } from '../lesson-actions.ts'

/** Marks lessons as done, as one step. Whether the service has done it; what it has refused is told. */
export function markDone(desk: Desk, lessons: readonly Appointment[]): Promise<boolean> {
  const { t } = desk
  const words = t('unmarked.step', { count: lessons.length })
  const deeds = lessons.map((lesson) => changing(desk, lesson, { status: 'completed' }))
  return act(together(desk, deeds), {
    told: ({ stands }) => ({
      text: stands ?? t('unmarked.marked', { count: lessons.length }),
      words,
    }),
    failed: (why) => `${t('booking.notSaved')}: ${why}`,
  })
}

/** Does one after the other, and says how many could not be done. Throws the first failure where all have failed. */
function together({ t }: Pick<Desk, 't'>, deeds: readonly Deed[]): Deed {
  return {
    run: async () => {
      const done: Done[] = []
      const failures: { readonly deed: Deed; readonly error: unknown }[] = []
      for (const deed of deeds) {
        try {
          done.push(await deed.run())
        } catch (error) {
          failures.push({ deed, error })
        }
      }
      const [first] = failures
      const opposite = together(
        { t },
        done.map((one) => one.opposite),
      )
      if (!first) return { opposite }
      if (done.length === 0) throw first.error
      const { why } = first.deed.explain(first.error)
      const stands = t('unmarked.partly', { done: done.length, count: failures.length, why })
      return { opposite, stands, isPartial: true }
    },
    explain: (error) => deeds[0]?.explain(error) ?? { why: '' },
  }
}
