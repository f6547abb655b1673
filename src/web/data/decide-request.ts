import type { ScheduleRequest, ScheduleRequestChange } from '../../contract/schedule-request.ts'
import { followNow } from './following.ts'
import { sendDecision } from './requests.ts'
import type { Edit, WriteContext } from './write-queue.ts'

/** Decides a request. An acceptance changes the instructor, who is read before it resolves. Throws as `changing` does. */
export async function decideRequest(
  edit: Edit<ScheduleRequest, ScheduleRequestChange>,
  writing: WriteContext,
): Promise<ScheduleRequest> {
  const decided = await sendDecision(edit, writing)
  if (decided.status === 'accepted') await followNow(writing.client)
  return decided
}
