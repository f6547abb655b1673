import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { type NumbersRow, rowsOf } from '../data/numbers.ts'
import { download } from '../data/student-files.ts'
import { Button } from '../ui/button.tsx'
import type { FieldLabel } from '../ui/i18n/i18n.ts'
import { Icon } from '../ui/icon.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'
import { BookButton } from './book-button.tsx'
import { WideTable } from './figure.tsx'

const NAMES = [
  ...(['use', 'free', 'by_type', 'missed', 'to_test', 'passed'] as const),
  ...(['no_lesson', 'special_owed', 'ready'] as const),
] as const
type RowsName = (typeof NAMES)[number]

/** The columns that people do not read. */
const HIDDEN: ReadonlySet<string> = new Set([
  ...['appointment_id', 'enrolment_id', 'student_id', 'instructor_id', 'lesson_type_id'],
])

/** The columns with days. */
const DAYS: ReadonlySet<string> = new Set([
  ...['date', 'begins_on', 'passed_on', 'last_lesson_on', 'exam_on', 'ready_since'],
])

/** The labels of columns that have another one here than in forms and files. */
const LABELS = {
  minutes: 'numbers.column.minutes',
  kind: 'field.missed_kind',
  notice_minutes: 'numbers.column.notice_minutes',
  date: 'numbers.column.date',
  begins_on: 'numbers.column.begins_on',
  units: 'numbers.column.units',
} as const

function labelOf(column: string) {
  return LABELS[column as keyof typeof LABELS] ?? (`field.${column}` as FieldLabel)
}

/** The rows behind a number, in pages, with their file. */
export function RowsPage({ address }: { readonly address: string }) {
  const { t } = useTranslation()
  const name = NAMES.find((one) => one === address.split('?')[0])
  if (!name) return <Empty text={t('numbers.unknown')} />
  return <Rows name={name} address={address} />
}

type RowsProps = { readonly name: RowsName; readonly address: string }

function Rows({ name, address }: RowsProps) {
  const { t } = useTranslation()
  const { data, error, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    rowsOf(address),
  )
  const rows = data?.pages.flatMap((one) => one.rows) ?? []
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <Link
          from="/numbers"
          to="/numbers"
          search={({ from, to }) => ({ from, to })}
          className={page.link}
          aria-label={t('numbers.back')}
        >
          <Icon name="chevronLeft" />
        </Link>
        <PageHeading title={t(`numbers.rows.${name}`)} />
        <span className={page.space} />
        <FileButton name={name} address={address} />
      </div>
      <div className={page.scroll}>
        {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
        {data && rows.length === 0 && <Empty text={t('numbers.nothing')} />}
        {rows.length > 0 && (
          <RowsTable name={name} rows={rows} isBookable={!('appointment_id' in (rows[0] ?? {}))} />
        )}
        {hasNextPage && (
          <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('numbers.more')}
          </Button>
        )}
      </div>
    </div>
  )
}

type RowsTableProps = {
  readonly name: RowsName
  readonly rows: readonly NumbersRow[]
  readonly isBookable: boolean
}

function RowsTable({ name, rows, isBookable }: RowsTableProps) {
  const { t } = useTranslation()
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !HIDDEN.has(column))
  const cellOf = useCells()
  const isOfStudents = isBookable && 'student_id' in (rows[0] ?? {})
  return (
    <WideTable>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{t(labelOf(column))}</th>
            ))}
            {isOfStudents && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={Object.values(row).join()}>
              {columns.map((column) => (
                <td key={column}>{cellOf(column, row[column] ?? null)}</td>
              ))}
              {isOfStudents && (
                <td>
                  <BookButton studentId={String(row.student_id)} isForTest={name === 'ready'} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}

/** Returns the text of a cell. */
function useCells() {
  const { format, lessonTypes } = useSchool()
  const { t } = useTranslation()
  return (column: string, value: NumbersRow[string] | null): string => {
    if (value === null) return '–'
    if (typeof value === 'boolean') return t(value ? 'numbers.yes' : 'numbers.no')
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([code, count]) => `${count} × ${lessonTypes.find((one) => one.code === code)?.name ?? code}`)
        .join(', ')
    if (column === 'minutes') return format.duration(Number(value))
    if (column === 'kind') return t(`numbers.missed.${value as 'no_show'}`)
    if (column === 'test') return t(`numbers.test.${value as 'theory'}`)
    if (column === 'attempt') return t(`numbers.passed.${value as 'first'}`)
    const text = String(value)
    if (DAYS.has(column)) return format.day(text)
    if (column === 'start_at' || column === 'end_at') return `${format.day(dateOf(text))} ${timeOf(text)}`
    return text
  }
}

function FileButton({ name, address }: RowsProps) {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      download({ path: `/numbers/${address.replace(name, `${name}.csv`)}`, name: `numbers-${name}.csv` }),
    onError: (error) => toast({ kind: 'problem', text: problemMessage(error, t) }),
  })
  return (
    <Button isBusy={isPending} onClick={() => mutate()}>
      {t('minutes.csv')}
    </Button>
  )
}
