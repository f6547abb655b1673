import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { InboxEntry } from '../../contract/inbox.ts'
import { dateOf } from '../../domain/local-time.ts'
import { resendMessage, tellMessage } from '../data/inbox.ts'
import { GapButton } from '../gaps/gap-button.tsx'
import { Button } from '../ui/button.tsx'
import { ContactLinks } from '../ui/contact-links.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { useSchool } from '../ui/school.tsx'
import css from './inbox-page.module.css'

/** The action for an entry: find another student, answer, send again, open the lesson, or call. */
export function EntryActions({ entry }: { readonly entry: InboxEntry }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { kind, freed, lesson, student_id, request, message } = entry
  const isOffice = school.user.role !== 'instructor'
  const student = school.student.get(student_id ?? '')
  const isReached = kind !== 'student_confirmed'
  return (
    <div className={css.actions}>
      {freed && isOffice && <GapButton gap={freed} isFree />}
      {message?.may_resend && isOffice && <Resend id={entry.id} />}
      {message && isOffice && <Told id={entry.id} />}
      {lesson && <LessonLink lesson={lesson} isOffice={isOffice} />}
      {(kind === 'student_wish' || message) && isOffice && student && (
        <Link className={css.link} to="/students" search={{ student: student.id }}>
          {t('inbox.openStudent')}
        </Link>
      )}
      {kind === 'schedule_request' && request?.status === 'open' && (
        <Link className={css.link} to="/instructors">
          {t('inbox.answer')}
        </Link>
      )}
      {kind === 'request_decided' && (
        <Link className={css.link} to="/requests">
          {t('inbox.openRequest')}
        </Link>
      )}
      {kind === 'busy_calendar_failing' && entry.instructor_id && (
        <Link className={css.link} to="/instructors" search={{ instructor: entry.instructor_id }}>
          {t('inbox.openInstructor')}
        </Link>
      )}
      {kind === 'enquiry' && (
        <Link className={css.link} to="/enquiries">
          {t('inbox.openEnquiries')}
        </Link>
      )}
      {kind === 'retention_due' && (
        <Link className={css.link} to="/settings" search={{ chapter: 'retention' }}>
          {t('inbox.openRetention')}
        </Link>
      )}
      {student && isReached && <ContactLinks {...student} email={null} />}
    </div>
  )
}

type LessonLinkProps = {
  readonly lesson: NonNullable<InboxEntry['lesson']>
  readonly isOffice: boolean
}

function LessonLink({ lesson: { appointment_id: id, start_at }, isOffice }: LessonLinkProps) {
  const { t } = useTranslation()
  return (
    <Link className={css.link} to={isOffice ? '/' : '/today'} search={{ date: dateOf(start_at), lesson: id }}>
      {t('inbox.openLesson')}
    </Link>
  )
}

function Resend({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({ mutationFn: resendMessage })
  return (
    <>
      <Button icon="redo" isBusy={isPending} onClick={() => mutate(id)}>
        {t('inbox.resend')}
      </Button>
      <FailureNotice error={error} title={t('inbox.notSent')} />
    </>
  )
}

function Told({ id }: { readonly id: string }) {
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({ mutationFn: tellMessage })
  return (
    <>
      <Button icon="check" isBusy={isPending} onClick={() => mutate(id)}>
        {t('inbox.told')}
      </Button>
      <FailureNotice error={error} title={t('inbox.notStored')} />
    </>
  )
}
