import { undoSet } from '../data/changes.ts'
import type { WriteContext } from '../data/write-queue.ts'
import { problemMessage } from '../ui/problem-messages.ts'
import type { Command } from '../ui/undo/steps.ts'
import { type NameSources, outcomeText, staysText } from './set-texts.ts'

/** An error whose message explains why nothing could be undone. */
class NothingUndone extends Error {}

/** Returns a command that undoes a set. Its opposite undoes the undo. */
export function undoingSet(context: WriteContext & NameSources, setId: string): Command {
  const { t } = context
  return {
    run: async () => {
      const answer = await undoSet(setId, context)
      if (answer.undone.length === 0) throw new NothingUndone(staysText(answer, context))
      const isPartial = answer.refused.length > 0
      return {
        opposite: undoingSet(context, answer.set_id),
        isPartial,
        ...(isPartial && { stands: outcomeText(answer, context) }),
      }
    },
    explain: (error) => ({ why: error instanceof NothingUndone ? error.message : problemMessage(error, t) }),
  }
}
