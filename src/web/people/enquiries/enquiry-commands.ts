import type { Enquiry } from '../../../contract/enquiry.ts'
import type { Student } from '../../../contract/student.ts'
import { closeEnquiry, enrolEnquiry } from '../../data/enquiries.ts'
import { problemMessage } from '../../ui/problem-messages.ts'
import { nameOf } from '../../ui/school.tsx'
import { act, type Done } from '../../ui/undo/steps.ts'
import { personStep } from '../../ui/undo/use-save-person.ts'

type Context = Done['context']

/** Makes a student of an enquiry, as a step. Returns the student; undefined if it failed. */
export async function enrol(context: Context, enquiry: Enquiry): Promise<Student | undefined> {
  const { client, t } = context
  const name = nameOf(enquiry)
  let student: Student | undefined
  await act(
    {
      run: async () => {
        const sets: string[] = []
        student = await enrolEnquiry(enquiry, { client, sets })
        return personStep(context, 'students', sets, { undone: [], done: [student] })
      },
      explain: (error) => ({ why: problemMessage(error, t) }),
    },
    {
      message: () => ({ text: t('enquiry.enrolled', { name }), label: t('step.added', { what: name }) }),
      failed: (why) => t('enquiry.notEnrolled', { name, why }),
    },
  )
  return student
}

/** Closes an enquiry, as a step. */
export async function close(context: Context, enquiry: Enquiry): Promise<void> {
  const { client, t } = context
  const name = nameOf(enquiry)
  const text = t('enquiry.closed', { name })
  await act(
    {
      run: async () => {
        const sets: string[] = []
        await closeEnquiry(enquiry, { client, sets })
        return { context, sets }
      },
      explain: (error) => ({ why: problemMessage(error, t) }),
    },
    { message: () => ({ text, label: text }), failed: (why) => t('enquiry.notClosed', { name, why }) },
  )
}
