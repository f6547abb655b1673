import type { SetUndo } from '../../contract/undo.ts'
import { askFor } from '../session/ask.ts'
import { followNow } from './following.ts'
import { askOnce, type Writing } from './write-queue.ts'

const pathOf = (setId: string) => `/changes/sets/${setId}/undo`

/** Returns what an undo of the set would do. Throws `ApiProblem` or `Unreachable`. */
export function tryUndo(setId: string): Promise<SetUndo> {
  return askFor<SetUndo>(`${pathOf(setId)}?dry_run=true`, { method: 'POST' })
}

/** Takes a set of changes back, once, even if the answer is lost and it is sent again. Throws `ApiProblem` or `Unreachable`. */
export async function undoSet(setId: string, { client }: Writing): Promise<SetUndo> {
  const answer = await askOnce(pathOf(setId), undefined)
  const undone: SetUndo = await answer.json()
  void followNow(client)
  return undone
}
