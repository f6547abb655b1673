import { useInfiniteQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { LIST_NAMES, type ListName, type NumbersRow, rowsOf } from '../data/numbers.ts'
import { type School, useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { BookButton } from './book-button.tsx'
import css from './numbers-page.module.css'
import { RowsLink } from './rows-link.tsx'

/** The three lists of students to call, from which to book. */
export function StudentLists() {
  return (
    <div className={css.lists}>
      {LIST_NAMES.map((name) => (
        <StudentsToCall key={name} name={name} />
      ))}
    </div>
  )
}

const SHOWN = 8

function StudentsToCall({ name }: { readonly name: ListName }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useInfiniteQuery(rowsOf(name))
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const hasMore = rows.length > SHOWN || data?.pages.at(-1)?.next !== undefined
  return (
    <section className={css.figure} aria-label={t(`numbers.list.${name}`)}>
      <h2>{t(`numbers.list.${name}`)}</h2>
      {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      {data && rows.length === 0 && <p className={css.about}>{t('numbers.list.none')}</p>}
      <ul>
        {rows.slice(0, SHOWN).map((row) => (
          <li key={String(row.enrolment_id)} className={css.student}>
            <span>
              <strong>{String(row.student)}</strong>
              <small>{reasonIn(name, row, { school, t })}</small>
            </span>
            <BookButton studentId={String(row.student_id)} isForTest={name === 'ready'} />
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <p className={`${css.about} ${css.screen}`}>
          <RowsLink rows={`/api/v1/numbers/${name}`}>
            {hasMore ? t('numbers.list.all') : t('numbers.list.file')}
          </RowsLink>
        </p>
      )}
    </section>
  )
}

type Context = { readonly school: School; readonly t: TFunction }

function reasonIn(name: ListName, row: NumbersRow, { school, t }: Context): string {
  const { format, lessonTypes } = school
  if (name === 'no_lesson')
    return row.last_lesson_on === null
      ? t('numbers.list.never', { day: format.dayInText(String(row.begins_on)) })
      : t('numbers.list.last', { day: format.dayInText(String(row.last_lesson_on)) })
  if (name === 'ready') return t('numbers.list.since', { day: format.dayInText(String(row.ready_since)) })
  const units = Object.entries(row.units ?? {}).map(([code, count]) => {
    const type = lessonTypes.find((one) => one.code === code)
    return `${format.units(Number(count))} × ${type?.name ?? code}`
  })
  const exam =
    row.exam_on === null ? [] : [t('numbers.list.exam', { day: format.dayInText(String(row.exam_on)) })]
  return [...exam, units.join(', ')].join(' · ')
}
