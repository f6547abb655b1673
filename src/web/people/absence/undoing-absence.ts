import type { NameSources } from '../../changes/set-texts.ts'
import { undoingSet } from '../../changes/undoing-set.ts'
import type { WriteContext } from '../../data/write-queue.ts'
import type { Command } from '../../ui/undo/steps.ts'
import type { AbsenceDraftProps } from './draft.ts'

/** Returns the command that undoes a stored absence. It clears the decisions, because the lessons have new versions. */
export function undoingAbsence(
  context: WriteContext & Omit<NameSources, 'all'>,
  setId: string,
  onChange: AbsenceDraftProps['onChange'],
): Command {
  const { run, explain } = undoingSet({ ...context, all: [] }, setId)
  return {
    run: async () => {
      const done = await run()
      // The user may have started another absence since.
      onChange(({ stored }) => (stored?.set_id === setId ? { stored: undefined, decisions: {} } : {}))
      return done
    },
    explain,
  }
}
