import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Instructor, InstructorChange } from '../../../contract/instructor.ts'
import type { ScheduleRequest } from '../../../contract/schedule-request.ts'
import { vacationsWith } from '../../../domain/absence-period.ts'
import { NOTES_LENGTH } from '../../../domain/ranges.ts'
import { hoursOnceAccepted } from '../../../domain/requested-hours.ts'
import { decideRequest } from '../../data/decide-request.ts'
import { impactOfChange } from '../../data/instructors.ts'
import { openRequests } from '../../data/requests.ts'
import { Button } from '../../ui/button.tsx'
import field from '../../ui/field.module.css'
import { problemMessage } from '../../ui/problem-messages.ts'
import { decisionText, requestText } from '../../ui/request-text.ts'
import { nameOf, useSchool } from '../../ui/school.tsx'
import { toast } from '../../ui/toasts.ts'
import { Unsaved, useUnsaved } from '../../ui/unsaved.tsx'
import { useLength } from '../../ui/use-length.ts'
import { AffectedLessons } from './affected-lessons.tsx'
import { ChangeList } from './change-list.tsx'
import { instructorFormOf } from './instructor-form.ts'
import css from './open-requests.module.css'

export function OpenRequests() {
  const { instructor } = useSchool()
  const { t } = useTranslation()
  const { data: requests = [] } = useQuery(openRequests)
  if (requests.length === 0) return null
  return (
    <section className={css.requests}>
      <h2 className={css.heading}>{t('request.waiting', { count: requests.length })}</h2>
      {requests.map((request) => {
        const person = instructor.get(request.instructor_id)
        return person && <Request key={request.id} request={request} person={person} />
      })}
      <Unsaved />
    </section>
  )
}

type RequestProps = { readonly request: ScheduleRequest; readonly person: Instructor }

/** An open request: its changes, the lessons affected, and the decision. */
function Request({ request, person }: RequestProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const id = useId()
  const [answer, setAnswer] = useState('')
  const before = instructorFormOf(person, school)
  const change = changeOf(request, person)
  // The second of two quick clicks comes before the buttons are disabled.
  const isDecided = useRef(false)
  const reportDecision = useReport(person)
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: decideRequest,
    // Acceptance empties the list of lessons that the change would affect.
    onMutate: () => client.getQueryData(impactOfChange(person.id, change).queryKey)?.appointments.length,
    onSuccess: (decided, _, affected) => reportDecision(decided, affected),
    // If another user has decided it first, the request disappears and only this message remains.
    onError: (error) => {
      isDecided.current = false
      toast({ kind: 'problem', text: `${t('booking.notSaved')}: ${problemMessage(error, t)}` })
    },
  })
  useUnsaved(() => answer.trim() !== '' && !isPending)
  const length = useLength<HTMLInputElement>(answer, NOTES_LENGTH.max)
  const isTooLong = length.fault !== undefined
  const decide = (status: 'accepted' | 'declined') => {
    if (isDecided.current) return
    isDecided.current = true
    mutate({ seen: request, change: { status, answer: answer.trim() || null } })
  }
  return (
    <article className={css.request} aria-labelledby={id}>
      <h3 id={id}>{nameOf(person)}</h3>
      <p className={css.what}>{requestText(request, school, t)}</p>
      {request.note && <p className={css.note}>{request.note}</p>}
      {change.availability_windows && (
        <ChangeList
          title={t('request.changes')}
          before={before}
          after={{ ...before, availability_windows: change.availability_windows }}
        />
      )}
      <AffectedLessons instructor={person} change={change} request={request} />
      <label className={css.answer}>
        {t('request.answer')}
        <input
          className={field.field}
          ref={length.field}
          aria-invalid={length.fault !== undefined}
          value={answer}
          onChange={({ target }) => setAnswer(target.value)}
        />
        {length.fault}
      </label>
      <div className={css.buttons}>
        <Button look="primary" isBusy={isPending} disabled={isTooLong} onClick={() => decide('accepted')}>
          {t('request.accept')}
        </Button>
        <Button disabled={isPending || isTooLong} onClick={() => decide('declined')}>
          {t('request.decline')}
        </Button>
        <AbsenceLink request={request} />
      </div>
    </article>
  )
}

/** Returns a function that reports a decision. After accepted days off it offers the decisions on the given number of lessons. */
function useReport(person: Instructor) {
  const school = useSchool()
  const { t } = useTranslation()
  const navigate = useNavigate()
  return (decided: ScheduleRequest, affected = 0) => {
    const { status, instructor_id, start_date, end_date } = decided
    const text = decisionText(decided, nameOf(person), school, t)
    const isForDays = start_date !== null && end_date !== null
    if (status !== 'accepted' || !isForDays || affected === 0) return toast({ kind: 'done', text })
    const search = { instructor: instructor_id, day: start_date, until: end_date }
    const decide = { label: t('request.decide'), act: () => void navigate({ to: '/absence', search }) }
    toast({
      kind: 'done',
      text: `${text} · ${t('request.toDecide', { count: affected })}`,
      offers: [decide],
    })
  }
}

/** A link to the decisions on the lessons of the requested days, as for an instructor who is ill. */
function AbsenceLink({ request: { instructor_id, start_date, end_date } }: Pick<RequestProps, 'request'>) {
  const { t } = useTranslation()
  if (start_date === null || end_date === null) return null
  return (
    <Link to="/absence" search={{ instructor: instructor_id, day: start_date, until: end_date }}>
      {t('request.decideLessons')}
    </Link>
  )
}

/** Returns the change of the instructor if the request is accepted. */
function changeOf(
  { start_date, end_date, availability_windows, windows_before }: ScheduleRequest,
  { vacations, availability_windows: now }: Instructor,
): InstructorChange {
  if (availability_windows !== null)
    return { availability_windows: [...hoursOnceAccepted(now, { windows_before, availability_windows })] }
  if (start_date === null || end_date === null) return {}
  return { vacations: [...vacationsWith(vacations, { start_date, end_date, note: null })] }
}
