import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../domain/time-zone.ts'
import type { BookingStart } from '../booking/form.ts'
import { allLessons } from '../data/appointments.ts'
import { Icon } from '../ui/icon.tsx'
import page from '../ui/page.module.css'
import { useSchool } from '../ui/school.tsx'
import { BookingAbove } from './command-bar-button.tsx'
import css from './first-steps.module.css'

type Step = {
  readonly text: string
  readonly isDone: boolean
  /** The page of the step; undefined if it cannot be taken yet. */
  readonly link: Pick<LinkProps, 'to' | 'search'> | undefined
  readonly act?: () => void
}

type FirstStepsProps = {
  /** Called with the school's id until its first lesson is booked, then with an empty text: the last step stays when there are people. */
  readonly onStep: (waiting: string) => void
}

/** Shows the steps of a new school until its first lesson is booked. Each is a link to the place where it is done. */
export default function FirstSteps({ onStep }: FirstStepsProps) {
  const { t } = useTranslation()
  const [booking, setBooking] = useState<BookingStart>()
  const steps = useSteps(setBooking)
  useEnd(onStep)
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <>
      <nav className={css.steps} aria-label={t('steps.title')}>
        <span className={css.title}>{t('steps.title')}</span>
        <ol className={css.list}>
          {steps.map((step) => (
            <li key={step.text} className={css.step}>
              <StepWords step={step} isNext={step === next} />
            </li>
          ))}
        </ol>
      </nav>
      {booking && <BookingAbove start={booking} onClose={() => setBooking(undefined)} />}
    </>
  )
}

function useSteps(book: (start: BookingStart) => void): readonly Step[] {
  const { tenant, instructors, students, user } = useSchool()
  const { t } = useTranslation()
  const hours: Step = {
    text: t('steps.hours'),
    isDone: [tenant.default_availability_windows, ...instructors.map((one) => one.availability_windows)].some(
      (windows) => windows.length > 0,
    ),
    link: { to: '/settings', search: { chapter: 'instructors' } },
  }
  const canBook = instructors.length > 0 && students.length > 0
  return [
    ...(user.role === 'owner' ? [hours] : []),
    {
      text: t('steps.instructor'),
      isDone: instructors.length > 0,
      link: { to: '/instructors', search: { add: true } },
    },
    {
      text: t('steps.student'),
      isDone: students.length > 0,
      link: { to: '/students', search: { add: true } },
    },
    {
      text: t('steps.lesson'),
      isDone: false,
      link: canBook ? { to: '/' } : undefined,
      act: () => book({ date: localToday(new Date(), tenant.timezone) }),
    },
  ]
}

function useEnd(onStep: (waiting: string) => void): void {
  const { tenant, instructors, students } = useSchool()
  const canBook = instructors.length > 0 && students.length > 0
  const { data: lessons = [] } = useQuery({ ...allLessons(), enabled: canBook })
  const waiting = lessons.length > 0 ? '' : tenant.id
  useEffect(() => onStep(waiting), [waiting, onStep])
}

function StepWords({ step: { text, isDone, link, act }, isNext }: { step: Step; isNext: boolean }) {
  const { t } = useTranslation()
  if (isDone) {
    return (
      <span className={css.done}>
        <Icon name="check" size={16} /> {text} <span className={page.hidden}>{t('steps.done')}</span>
      </span>
    )
  }
  if (!link) return <span className={css.later}>{text}</span>
  return (
    <Link {...link} className={css.link} data-next={isNext || undefined} onClick={act}>
      {text}
    </Link>
  )
}
