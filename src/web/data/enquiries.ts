import type { Enquiry } from '../../contract/enquiry.ts'
import type { Student } from '../../contract/student.ts'
import { fetchApi } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { followNow } from './following.ts'
import { refetch } from './patch-read.ts'
import { copiesOf } from './people.ts'
import { bodyOf } from './send.ts'
import { postOnce, recordSet, type WriteContext } from './write-queue.ts'

/** The enquiries of the school, newest first. */
export const enquiryList = followedQuery<readonly Enquiry[]>(['enquiries'], '/enquiries')

/** Returns the address of a school's form, which the service itself serves. */
export function formAddress(slug: string): string {
  return `${import.meta.env.VITE_API_URL || location.origin}/e/${slug}`
}

/** Makes a student of an enquiry. Throws `ApiProblem` or `Unreachable`. */
export async function enrolEnquiry({ id }: Enquiry, writing: WriteContext): Promise<Student> {
  const answer = await postOnce(`/enquiries/${id}/enrol`, undefined)
  const student: Student = await bodyOf(answer)
  recordSet(answer, writing)
  await copiesOf('students').store(writing.client, student)
  await refetchEnquiries(writing)
  return student
}

/** Closes an enquiry. Throws `ApiProblem` or `Unreachable`. */
export async function closeEnquiry({ id }: Enquiry, writing: WriteContext): Promise<void> {
  const answer = await fetchApi(`/enquiries/${id}/close`, { method: 'POST' })
  recordSet(answer, writing)
  await refetchEnquiries(writing)
}

async function refetchEnquiries({ client }: WriteContext): Promise<void> {
  await refetch(client, { queryKey: enquiryList.queryKey })
  void followNow(client)
}
