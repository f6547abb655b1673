import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Instructor } from '../../contract/instructor.ts'
import { decideRequest } from '../data/decide-request.ts'
import { openRequests } from '../data/requests.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { decisionText, requestText } from '../ui/request-text.ts'
import { nameOf, useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import type { AbsenceDraft } from './draft.ts'

type OpenRequestProps = { readonly instructor: Instructor; readonly draft: AbsenceDraft }

/** The instructor's open requests that the stored change meets, to be accepted: days within it, or other hours. */
export function OpenRequest({ instructor, draft: { period, change } }: OpenRequestProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data: requests = [] } = useQuery(openRequests)
  const { mutate, isPending } = useMutation({
    mutationFn: decideRequest,
    onSuccess: (decided) =>
      toast({ kind: 'done', text: decisionText(decided, nameOf(instructor), school, t) }),
    onError: (error) =>
      toast({ kind: 'problem', text: `${t('booking.notSaved')}: ${problemMessage(error, t)}` }),
  })
  const { start_date: first, end_date: last, start_time, end_time } = period
  const isPart = start_time !== '' || end_time !== ''
  const asked = requests.filter(({ instructor_id, start_date, end_date, availability_windows }) => {
    if (instructor_id !== instructor.id) return false
    if (change) return change.values.availability_windows !== undefined && availability_windows !== null
    return start_date !== null && end_date !== null && !isPart && first <= start_date && end_date <= last
  })
  return asked.map((seen) => (
    <Notice
      key={seen.id}
      kind="warn"
      title={t(change ? 'absencePage.askedHours' : 'absencePage.asked', { name: nameOf(instructor) })}
    >
      <p>{requestText(seen, school, t)}</p>
      <Button isBusy={isPending} onClick={() => mutate({ seen, change: { status: 'accepted' } })}>
        {t('absencePage.accept')}
      </Button>
    </Notice>
  ))
}
