import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { localToday } from '../../domain/time-zone.ts'
import { type NumbersPeriod, numbersOf } from '../data/numbers.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { HeatMap } from './heat-map.tsx'
import { LessonFigures } from './lesson-figures.tsx'
import css from './numbers-page.module.css'
import { numbersSearchIn } from './numbers-search.ts'
import { isPossible, nextTo, periodAround } from './period.ts'
import { PeriodChoice } from './period-choice.tsx'
import { RowsPage } from './rows-page.tsx'
import { StudentLists } from './student-lists.tsx'
import { Summary } from './summary.tsx'
import { TestFigures } from './test-figures.tsx'

const route = getRouteApi('/numbers')

/** The numbers of the school in a period beside those of the period before, or the rows behind one of them. */
export function NumbersPage() {
  const { tenant } = useSchool()
  const { from, to, rows } = numbersSearchIn(route.useSearch())
  const month = periodAround(localToday(new Date(), tenant.timezone), 'month')
  const asked = { from: from ?? month.from, to: to ?? month.to }
  const period = isPossible(asked) ? asked : month
  return rows === undefined ? <Overview period={period} /> : <RowsPage address={rows} />
}

function Overview({ period }: { readonly period: NumbersPeriod }) {
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const { data: numbers, error, isError, refetch } = useQuery(numbersOf(period))
  const { data: before } = useQuery(numbersOf(nextTo(period, -1)))
  return (
    <div className={`${page.page} ${css.paper}`}>
      <div className={page.bar}>
        <PageHeading title={t('numbers.title')} />
        <PeriodChoice period={period} onChange={(next) => void navigate({ search: next })} />
        <span className={page.space} />
        <Button icon="print" className={css.screen} onClick={() => window.print()}>
          {t('action.print')}
        </Button>
      </div>
      <div className={`${page.scroll} ${css.paper}`}>
        {numbers ? (
          <div className={css.figures}>
            <Summary numbers={numbers} before={before} />
            <StudentLists />
            <HeatMap use={numbers.use} />
            <LessonFigures numbers={numbers} before={before} />
            <TestFigures numbers={numbers} before={before} />
            <OtherPages />
          </div>
        ) : isError ? (
          <Failure error={error} retry={refetch} />
        ) : (
          <Loading />
        )}
      </div>
    </div>
  )
}

/** The pages with the answers to an owner's other questions. */
function OtherPages() {
  const { t } = useTranslation()
  return (
    <nav className={css.others} aria-label={t('numbers.others')}>
      <Link to="/minutes">
        <Icon name="clock" />
        {t('numbers.payroll')}
      </Link>
      <Link to="/students" search={{ missed: true }}>
        <Icon name="students" />
        {t('numbers.fees')}
      </Link>
      <Link to="/changes">
        <Icon name="clock" />
        {t('numbers.changes')}
      </Link>
    </nav>
  )
}
