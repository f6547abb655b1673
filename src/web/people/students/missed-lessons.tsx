import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import type { Student } from '../../../contract/student.ts'
import { feeAroseAt, feeOf } from '../../../domain/cancellation.ts'
import { dateOf, daysLater, monthsLater } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { missedLessons } from '../../data/cancellations.ts'
import { download } from '../../data/student-files.ts'
import { feeCommand } from '../../lessons/lesson-commands.ts'
import { lessonText, stepText, studentNameOf } from '../../lessons/lesson-texts.ts'
import { Button } from '../../ui/button.tsx'
import { ContactLinks } from '../../ui/contact-links.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { type School, useSchool } from '../../ui/school.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { act } from '../../ui/undo/steps.ts'
import css from './missed-lessons.module.css'

/** The late cancellations and no-shows of a period by the day on which their fees arose, with sums, and their file. */
export function MissedLessons() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), tenant.timezone)
  const [period, setPeriod] = useState({ from: `${today.slice(0, 8)}01`, to: today })
  const { from, to } = period
  const isWhole = from !== '' && to !== '' && from <= to
  const save = useMutation({ mutationFn: download })
  const name = 'missed-appointments'
  const showMonth = (by: number) => {
    const first = monthsLater(`${from.slice(0, 8)}01`, by)
    const last = daysLater(monthsLater(first, 1), -1)
    setPeriod({ from: first, to: last < today ? last : today })
  }
  return (
    <div className={css.page}>
      <h2>{t('missed.title')}</h2>
      <p className={page.dimmed}>{t('missed.hint')}</p>
      <Mantine>
        <div className={css.period}>
          <Button
            icon="chevronLeft"
            aria-label={t('minutes.before')}
            disabled={!isWhole}
            onClick={() => showMonth(-1)}
          />
          <Button
            icon="chevronRight"
            aria-label={t('minutes.after')}
            disabled={!isWhole || from.slice(0, 7) >= today.slice(0, 7)}
            onClick={() => showMonth(1)}
          />
          <DateField
            label={t('missed.from')}
            kind="over"
            isHintHidden
            value={from}
            onChange={(day) => setPeriod({ from: day, to })}
          />
          <DateField
            label={t('missed.to')}
            isHintHidden
            min={from}
            value={to}
            onChange={(day) => setPeriod({ from, to: day })}
          />
          <Button
            isBusy={save.isPending}
            disabled={!isWhole}
            onClick={() =>
              save.mutate({
                path: `/exports/${name}.csv?from=${from}&to=${to}`,
                name: `${name}-${from}-${to}.csv`,
              })
            }
          >
            {t('missed.download')}
          </Button>
        </div>
      </Mantine>
      <FailureNotice error={save.error} />
      {isWhole && <Days from={from} to={to} />}
    </div>
  )
}

function Days({ from, to }: { readonly from: string; readonly to: string }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(missedLessons(from, to))
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const lessons = data
    .map((lesson) => ({ lesson, day: dateOf(feeAroseAt(lesson, school.tenant.timezone)) }))
    .filter(({ day }) => day >= from && day <= to)
    .toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)))
  if (lessons.length === 0) return <Empty text={t('missed.none')} />
  return (
    <>
      <Sums lessons={lessons.map(({ lesson }) => lesson)} />
      {[...Map.groupBy(lessons, ({ day }) => day)].map(([day, ofDay]) => (
        <section key={day}>
          <h3>{school.format.day(day)}</h3>
          <ul className={css.lessons}>
            {ofDay.map(({ lesson }) => (
              <Missed key={lesson.id} lesson={lesson} />
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}

/** The fees of each student, with the phone numbers. */
function Sums({ lessons }: { readonly lessons: readonly Appointment[] }) {
  const school = useSchool()
  const { t } = useTranslation()
  // Students may have the same name.
  const students = [...Map.groupBy(lessons, ({ student_id, id }) => student_id ?? id)]
    .map(([id, own]) => ({ id, own, name: studentNameOf(own[0] as Appointment, school, t) }))
    .toSorted((one, other) => school.format.compare(one.name, other.name))
  return (
    <section>
      <h3>{t('missed.sums')}</h3>
      <ul className={css.sums}>
        {students.map(({ id, own, name }) => (
          <li key={id}>
            <strong>{name}</strong>
            <span>{sumText(own, school, t)}</span>
            <ContactLinks {...phonesOf(school.student.get(id))} email={null} />
          </li>
        ))}
        <li>
          <strong>{t('missed.total')}</strong>
          <span>{sumText(lessons, school, t)}</span>
        </li>
      </ul>
    </section>
  )
}

function phonesOf(student: Pick<Student, 'phone' | 'phone_2'> | undefined) {
  return { phone: student?.phone ?? null, phone_2: student?.phone_2 ?? null }
}

function sumText(lessons: readonly Appointment[], { format }: School, t: TFunction): string {
  const fees = lessons.map((lesson) => feeOf(lesson) ?? 0).filter((percent) => percent > 0)
  const percent = format.percent(fees.reduce((sum, one) => sum + one, 0) / 100)
  const missed = t('missed.count', { count: lessons.length })
  return fees.length === 0
    ? `${missed} · ${t('missed.noFee')}`
    : `${missed} · ${t('missed.fees', { count: fees.length, percent })}`
}

function Missed({ lesson }: { readonly lesson: Appointment }) {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  const isCharged = (feeOf(lesson) ?? 0) > 0
  const decide = () => {
    const context = { client, school, t, appointments: [lesson] }
    return act(feeCommand(context, lesson, !isCharged), {
      message: ({ stands }) => ({
        text: t('booking.changed', { what: stands }),
        label: stepText('changed', lesson, context),
      }),
      failed: (why) => `${t('booking.notSaved')}: ${why}`,
    })
  }
  return (
    <li>
      <Link to="/" search={{ date: dateOf(lesson.start_at), lesson: lesson.id }}>
        {lessonText(lesson, school, t)}
      </Link>
      <span>{school.lessonType.get(lesson.lesson_type_id)?.name ?? lesson.title}</span>
      <Outcome lesson={lesson} />
      {lesson.student_id !== null && (
        <Button onClick={() => void decide()}>{t(isCharged ? 'cancel.waive' : 'cancel.chargeNow')}</Button>
      )}
    </li>
  )
}

/** Shows whether the student did not come or cancelled late, and the fee. */
function Outcome({ lesson }: { readonly lesson: Appointment }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { cancellation } = lesson
  const percent = feeOf(lesson)
  const parts = [
    t(!cancellation ? 'missed.noShow' : cancellation.is_late ? 'missed.late' : 'missed.cancelled'),
    ...(cancellation?.reason ? [t(`cancellation.because.${cancellation.reason}`)] : []),
    percent ? format.percent(percent / 100) : t('missed.noFee'),
    ...(cancellation?.note ? [cancellation.note] : []),
  ]
  return <span>{parts.join(' · ')}</span>
}
