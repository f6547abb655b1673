import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { monthsLater } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { minutesOf } from '../data/minutes.ts'
import { download } from '../data/student-files.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import page from '../ui/page.module.css'
import { PageHeading } from '../ui/page-heading.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'
import { InstructorMonth } from './instructor-month.tsx'
import css from './minutes-page.module.css'

const route = getRouteApi('/minutes')

/** The minutes of a month: of all instructors for the office, of their own for an instructor. */
export function MinutesPage() {
  const { tenant, user } = useSchool()
  const { t } = useTranslation()
  const today = localToday(new Date(), tenant.timezone)
  const month = route.useSearch().month ?? today.slice(0, 7)
  const { data: months, error, isError, refetch } = useQuery(minutesOf(month))
  const isOwn = user.role === 'instructor'
  return (
    <div className={page.page}>
      <div className={page.bar}>
        {isOwn && (
          <Link to="/today" aria-label={t('nav.today')}>
            <Icon name="chevronLeft" />
          </Link>
        )}
        <PageHeading title={t('minutes.title')} />
        <MonthChoice month={month} thisMonth={today.slice(0, 7)} />
        <span className={page.space} />
        <FileButton month={month} kind="pdf" />
        <FileButton month={month} kind="csv" />
      </div>
      <div className={page.scroll}>
        <div className={css.months}>
          {!months && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
          {months?.length === 0 && <Empty text={t('minutes.none')} />}
          {months?.map((one) => (
            <InstructorMonth
              key={one.instructor_id}
              minutes={one}
              isOwn={isOwn}
              isOpen={months.length === 1}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

type MonthChoiceProps = { readonly month: string; readonly thisMonth: string }

function MonthChoice({ month, thisMonth }: MonthChoiceProps) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const navigate = route.useNavigate()
  const name = new Intl.DateTimeFormat(format.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const go = (by: number) => {
    const next = monthsLater(`${month}-01`, by).slice(0, 7)
    void navigate({ search: next === thisMonth ? {} : { month: next } })
  }
  return (
    <div className={css.choice}>
      <Button icon="chevronLeft" aria-label={t('minutes.before')} onClick={() => go(-1)} />
      <strong aria-live="polite">{name.format(new Date(`${month}-01T00:00:00Z`))}</strong>
      <Button
        icon="chevronRight"
        aria-label={t('minutes.after')}
        disabled={month >= thisMonth}
        onClick={() => go(1)}
      />
    </div>
  )
}

function FileButton({ month, kind }: { readonly month: string; readonly kind: 'pdf' | 'csv' }) {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => download({ path: `/minutes.${kind}?month=${month}`, name: `minutes-${month}.${kind}` }),
    onError: (error) => toast({ kind: 'problem', text: problemMessage(error, t) }),
  })
  return (
    <Button isBusy={isPending} onClick={() => mutate()}>
      {t(`minutes.${kind}`)}
    </Button>
  )
}
