import { undoSet } from '../data/changes.ts'
import { problemMessage } from '../ui/problem-messages.ts'
import type { Command } from '../ui/undo/steps.ts'
import { type NameSources, outcomeText, staysText } from './set-texts.ts'

/** An error whose message explains why nothing could be undone. */
class NothingUndone extends Error {}

/** Returns a command that undoes a set, as a step whose undo is the undo of the undo. */
export function undoingSet(known: NameSources, setId: string): Command {
  return {
    run: async () => {
      const answer = await undoSet(setId, known)
      if (answer.undone.length === 0) throw new NothingUndone(staysText(answer, known))
      const isPartial = answer.refused.length > 0
      return {
        context: known,
        sets: [answer.set_id],
        isPartial,
        ...(isPartial && { stands: outcomeText(answer, known) }),
      }
    },
    explain: (error) => ({
      why: error instanceof NothingUndone ? error.message : problemMessage(error, known.t),
    }),
  }
}
