import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { RecordSummary } from '../../contract/record-summary.ts'
import { localToday } from '../../domain/time-zone.ts'
import { printRecords, type RecordsQuery, recordPages } from '../data/records.ts'
import { Button } from '../ui/button.tsx'
import { DateField } from '../ui/dialogs/date-field.tsx'
import { Mantine } from '../ui/dialogs/mantine.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { defectsOf, easiestFirst, isUnsigned } from './mending.ts'
import { PrintButton } from './print-button.tsx'
import { RecordItem } from './record-item.tsx'
import css from './records-page.module.css'
import { type RecordsSearch, recordsSearchIn } from './records-search.ts'

const route = getRouteApi('/records')

/** The training records of a period: those that are incomplete, the easiest to mend first, and those that nobody has signed. */
export function RecordsPage() {
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const search = recordsSearchIn(route.useSearch())
  const navigate = route.useNavigate()
  const query = queryOf(search, localToday(new Date(), tenant.timezone))
  const { records, error, isError, isReading, retry } = useRecords(query)
  const change = (part: RecordsSearch) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading title={t('records.title')} />
        <Period query={query} onChange={change} />
        <span className={page.space} />
        <PrintButton
          text={t('records.print')}
          disabled={!records?.length}
          print={() => printRecords(query)}
        />
      </div>
      <div className={page.scroll}>
        <div className={css.records}>
          {isError && <Failure error={error} retry={retry} />}
          {!isError && !records && <Loading />}
          {records?.length === 0 && <Empty text={t('records.none')} />}
          {records && records.length > 0 && (
            <Records {...{ records, isReading }} show={search.show} onShow={(show) => change({ show })} />
          )}
        </div>
      </div>
    </div>
  )
}

/** Reads the records of a period page by page, to the last: any page may have the easiest to mend. */
function useRecords(query: RecordsQuery) {
  const { data, error, isError, isFetchNextPageError, isFetching, hasNextPage, refetch, fetchNextPage } =
    useInfiniteQuery(recordPages(query))
  const isReading = hasNextPage && !isFetchNextPageError
  useEffect(() => {
    if (isReading && !isFetching) void fetchNextPage()
  }, [isReading, isFetching, fetchNextPage])
  return {
    records: data?.pages.flatMap((one) => one.records),
    error,
    isError: data ? isFetchNextPageError : isError,
    isReading,
    retry: data ? fetchNextPage : refetch,
  }
}

function queryOf({ running, from, to }: RecordsSearch, today: string): RecordsQuery {
  if (running) return { state: 'running', from: today, to: today }
  return { state: 'ended', from: from ?? `${today.slice(0, 4)}-01-01`, to: to ?? today }
}

type PeriodProps = {
  readonly query: RecordsQuery
  readonly onChange: (change: RecordsSearch) => void
}

function Period({ query: { state, from, to }, onChange }: PeriodProps) {
  const { t } = useTranslation()
  const date = (name: 'from' | 'to', value: string) => (
    <DateField
      className={css.date}
      kind="over"
      label={t(`records.${name}`)}
      isLabelHidden
      isHintHidden
      isOptional
      isLazy
      placeholder={t(`records.${name}`)}
      value={value}
      onChange={(picked) => onChange({ [name]: picked || undefined })}
      {...(name === 'from' ? { max: to } : { min: from })}
    />
  )
  return (
    <Mantine>
      <div className={css.period}>
        <OptionSelect
          label={t('records.state')}
          value={state}
          options={[
            ['ended', t('records.ended')],
            ['running', t('records.running')],
          ]}
          onChange={(chosen) => onChange({ running: chosen === 'running' || undefined })}
        />
        {state === 'ended' && date('from', from)}
        {state === 'ended' && date('to', to)}
      </div>
    </Mantine>
  )
}

type RecordsProps = {
  readonly records: readonly RecordSummary[]
  /** Whether more of them are being read. */
  readonly isReading: boolean
  readonly show: RecordsSearch['show']
  readonly onShow: (show: RecordsSearch['show']) => void
}

function Records({ records, isReading, show, onShow }: RecordsProps) {
  const { t } = useTranslation()
  const incomplete = records.filter((one) => defectsOf(one).length > 0)
  const unsigned = records.filter(isUnsigned)
  const shown = show === 'all' ? records : show === 'unsigned' ? unsigned : incomplete
  const choices = [
    [undefined, t('records.incomplete'), incomplete.length],
    ['unsigned', t('records.unsigned'), unsigned.length],
    ['all', t('records.all'), records.length],
  ] as const
  const none = t(show === 'unsigned' ? 'records.noneUnsigned' : 'records.noneIncomplete')
  return (
    <>
      <fieldset className={css.choices} aria-label={t('records.show')}>
        {choices.map(([one, text, count]) => (
          <Button
            key={text}
            look={one === show ? 'chosen' : 'bare'}
            aria-pressed={one === show}
            onClick={() => onShow(one)}
          >
            {text} <span className={css.count}>{count}</span>
          </Button>
        ))}
      </fieldset>
      {isReading && <p role="status">{t('records.reading', { count: records.length })}</p>}
      {shown.length === 0 && !isReading && <Empty text={none} />}
      {easiestFirst(shown).map((record) => (
        <RecordItem key={record.enrolment_id} record={record} />
      ))}
    </>
  )
}
