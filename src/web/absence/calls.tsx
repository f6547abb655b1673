import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Icon } from '../ui/icon.tsx'
import { telOf } from '../ui/tel-of.ts'
import css from './absence-page.module.css'

type Called = Pick<Appointment, 'id' | 'student_id' | 'attendees'>

/** Whether a lesson has a student to call. */
function hasStudents({ student_id, attendees }: Called): boolean {
  return student_id !== null || attendees.length > 0
}

/** Returns the number of lessons whose students have been called; undefined if no lesson has a student to call. */
export function callsText(
  lessons: readonly Called[],
  called: readonly string[],
  t: TFunction,
): string | undefined {
  const toCall = lessons.filter(hasStudents)
  if (toCall.length === 0) return undefined
  return t('absencePage.calls', {
    count: toCall.filter(({ id }) => called.includes(id)).length,
    all: toCall.length,
  })
}

type CallsProps = {
  readonly lesson: Called
  readonly phones: readonly string[]
  /** The lesson in words. */
  readonly what: string
  readonly isCalled: boolean
  readonly onCall: (isCalled: boolean) => void
}

/** The phone numbers of a lesson's students, and a checkbox for the call. */
export function Calls({ lesson, phones, what, isCalled, onCall }: CallsProps) {
  const { t } = useTranslation()
  if (!hasStudents(lesson)) return <div />
  return (
    <div className={css.calls}>
      {phones.length === 0 && <span className={css.type}>{t('absencePage.noPhone')}</span>}
      {phones.map((number) => (
        <a key={number} href={telOf(number)} title={t('lesson.call')}>
          <Icon name="phone" size={14} />
          {number}
        </a>
      ))}
      <label className={css.called}>
        <input
          type="checkbox"
          aria-label={t('absencePage.calledOf', { what })}
          checked={isCalled}
          onChange={({ currentTarget }) => onCall(currentTarget.checked)}
        />
        {t('absencePage.called')}
      </label>
    </div>
  )
}
