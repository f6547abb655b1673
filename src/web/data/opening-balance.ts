import { queryOptions } from '@tanstack/react-query'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import type { Student } from '../../contract/student.ts'
import { ask } from './ask.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { followedGet } from './followed-get.ts'
import { followNow } from './following.ts'
import type { Writing } from './write-queue.ts'

const pathOf = (id: string) => `/students/${id}/opening-balance`

/** The units that a student brought along; refetched whenever a student changes. */
export function openingBalanceOf(id: string) {
  return queryOptions({
    queryKey: [COMPUTED, 'opening balance', id],
    queryFn: (context) => followedGet<OpeningBalance>(pathOf(id), context),
    ...FOLLOWED,
  })
}

type Replacement = { readonly student: Student; readonly balance: OpeningBalance }

/** Replaces a student's balance unless the student has changed. Throws `ApiProblem` or `Unreachable`. */
export async function replaceOpeningBalance(
  { student: { id, version }, balance }: Replacement,
  { client }: Writing,
): Promise<void> {
  await ask(pathOf(id), { method: 'PUT', headers: { 'if-match': `"${version}"` }, body: balance })
  await followNow(client)
}
