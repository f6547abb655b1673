import type { NameSources } from '../../changes/set-texts.ts'
import { undoingSet } from '../../changes/undoing-set.ts'
import type { WriteContext } from '../../data/write-queue.ts'
import type { Command } from '../../ui/undo/steps.ts'
import type { PartProps } from './draft.ts'

/** Undoes a stored absence. Its lessons then have other versions, so decisions begin anew. */
export function undoingAbsence(
  context: WriteContext & Omit<NameSources, 'all'>,
  setId: string,
  onChange: PartProps['onChange'],
): Command {
  const { run, explain } = undoingSet({ ...context, all: [] }, setId)
  return {
    run: async () => {
      const done = await run()
      // Another absence may have been begun since.
      onChange(({ stored }) => (stored?.set_id === setId ? { stored: undefined, decisions: {} } : {}))
      return done
    },
    explain,
  }
}
