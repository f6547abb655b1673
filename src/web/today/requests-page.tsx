import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import { decideRequest } from '../data/decide-request.ts'
import { POLLING } from '../data/polling.ts'
import { requestsOf } from '../data/requests.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { PageHeading } from '../ui/page-heading.tsx'
import { problemMessage } from '../ui/problem-messages.ts'
import { requestText } from '../ui/request-text.ts'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'
import { AskForm } from './ask-form.tsx'
import css from './requests-page.module.css'

export function RequestsPage() {
  const { t } = useTranslation()
  const own = useSchool().user.instructor_id ?? ''
  const { data: requests, error, isError, refetch } = useQuery({ ...requestsOf(own), ...POLLING })
  return (
    <div className={css.page}>
      <Link to="/today" className={css.back}>
        <Icon name="chevronLeft" /> {t('nav.today')}
      </Link>
      <PageHeading className={css.title} title={t('request.title')} />
      <AskForm />
      <section>
        <h2 className={css.heading}>{t('request.mine')}</h2>
        {!requests && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
        {requests?.length === 0 && <p className={css.dimmed}>{t('request.none')}</p>}
        <ul>
          {requests?.map((request) => (
            <Mine key={request.id} request={request} />
          ))}
        </ul>
      </section>
    </div>
  )
}

function Mine({ request }: { request: ScheduleRequest }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: decideRequest,
    onError: (error) =>
      toast({ kind: 'problem', text: `${t('booking.notSaved')}: ${problemMessage(error, t)}` }),
  })
  const { status, note, answer } = request
  return (
    <li className={css.mine} data-status={status}>
      <strong className={css.status}>{t(`request.${status}`)}</strong>
      <span>{requestText(request, school, t)}</span>
      {note && <span className={css.dimmed}>{note}</span>}
      {answer && (
        <span className={css.answer}>
          {t('request.answer')}: {answer}
        </span>
      )}
      {status === 'open' && (
        <Button
          className={css.button}
          isBusy={isPending}
          onClick={() => mutate({ seen: request, change: { status: 'withdrawn' } })}
        >
          {t('request.withdraw')}
        </Button>
      )}
    </li>
  )
}
