import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { dateOf } from '../../../domain/local-time.ts'
import { localToday } from '../../../domain/time-zone.ts'
import { missedLessons } from '../../data/cancellations.ts'
import { download } from '../../data/student-files.ts'
import { studentNameOf, whenText } from '../../lessons/lesson-texts.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/dialogs/date-field.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import css from './missed-lessons.module.css'

/** The late cancellations and no-shows of a period by month and student, and their file. */
export function MissedLessons() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), tenant.timezone)
  const [period, setPeriod] = useState({ from: `${today.slice(0, 8)}01`, to: today })
  const { from, to } = period
  const isWhole = from !== '' && to !== '' && from <= to
  const save = useMutation({ mutationFn: download })
  const name = 'missed-appointments'
  return (
    <div className={css.page}>
      <h2>{t('missed.title')}</h2>
      <p className={page.dimmed}>{t('missed.hint')}</p>
      <Mantine>
        <div className={css.period}>
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
      {isWhole && <Months from={from} to={to} />}
    </div>
  )
}

function Months({ from, to }: { readonly from: string; readonly to: string }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(missedLessons(from, to))
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  if (data.length === 0) return <Empty text={t('missed.none')} />
  const months = Map.groupBy(data, ({ start_at }) => start_at.slice(0, 7))
  const nameOf = new Intl.DateTimeFormat(format.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  return [...months].map(([month, lessons]) => (
    <section key={month}>
      <h3>{nameOf.format(new Date(`${month}-01T00:00:00Z`))}</h3>
      <Students lessons={lessons} />
    </section>
  ))
}

function Students({ lessons }: { readonly lessons: readonly Appointment[] }) {
  const school = useSchool()
  const { t } = useTranslation()
  // Students may have the same name.
  const students = [...Map.groupBy(lessons, ({ student_id, id }) => student_id ?? id)]
    .map(([id, own]) => ({
      id,
      own,
      name: own
        .slice(0, 1)
        .map((one) => studentNameOf(one, school, t))
        .join(),
    }))
    .toSorted((one, other) => school.format.compare(one.name, other.name))
  return (
    <ul className={css.students}>
      {students.map(({ id, own, name }) => (
        <li key={id}>
          <strong>{name}</strong>{' '}
          <span className={page.dimmed}>{t('missed.count', { count: own.length })}</span>
          <ul className={css.lessons}>
            {own.map((lesson) => (
              <li key={lesson.id}>
                <Link to="/" search={{ date: dateOf(lesson.start_at), lesson: lesson.id }}>
                  {whenText(lesson, school)}
                </Link>
                <span>{school.lessonType.get(lesson.lesson_type_id)?.name ?? lesson.title}</span>
                <Outcome lesson={lesson} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

/** Shows whether the student did not come or cancelled late, and the fee. */
function Outcome({ lesson: { cancellation } }: { readonly lesson: Appointment }) {
  const { t } = useTranslation()
  if (!cancellation) return <span>{t('missed.noShow')}</span>
  const { charged, fee_percent, reason, note } = cancellation
  const parts = [
    t('missed.late'),
    ...(reason ? [t(`cancellation.because.${reason}`)] : []),
    charged ? t('missed.fee', { percent: fee_percent }) : t('missed.noFee'),
    ...(note ? [note] : []),
  ]
  return <span>{parts.join(' · ')}</span>
}
