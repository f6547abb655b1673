import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Enquiry } from '../../../contract/enquiry.ts'
import { enquiryList } from '../../data/enquiries.ts'
import { Button } from '../../ui/button.tsx'
import { ContactLinks } from '../../ui/contact-links.tsx'
import { momentText } from '../../ui/moment-text.ts'
import page from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import { nameOf, type School, useSchool } from '../../ui/school.tsx'
import { Empty, Failure, Loading } from '../../ui/states.tsx'
import { weekdayName } from '../../ui/weekday-name.ts'
import css from './enquiries-page.module.css'
import { close, enrol } from './enquiry-commands.ts'

/** The enquiries of people who are no students yet: those without an answer, then the others. */
export function EnquiriesPage() {
  const { tenant, user } = useSchool()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(enquiryList)
  const open = data?.filter(({ state }) => state === 'new') ?? []
  const answered = data?.filter(({ state }) => state !== 'new') ?? []
  return (
    <div className={page.page}>
      <div className={page.bar}>
        <PageHeading title={t('enquiry.title')} />
        <span className={page.space} />
        {user.role === 'owner' && (
          <Link to="/settings" search={{ chapter: 'students' }} className={page.link}>
            {t('enquiry.openSettings')}
          </Link>
        )}
      </div>
      <div className={page.scroll}>
        <div className={css.list}>
          {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
          {data?.length === 0 && (
            <Empty text={t(tenant.enquiries.enabled ? 'enquiry.none' : 'enquiry.off')} />
          )}
          <Enquiries title={t('enquiry.open')} enquiries={open} />
          <Enquiries title={t('enquiry.answered')} enquiries={answered} />
          {answered.length > 0 && <p className={css.hint}>{t('enquiry.kept')}</p>}
        </div>
      </div>
    </div>
  )
}

type EnquiriesProps = { readonly title: string; readonly enquiries: readonly Enquiry[] }

function Enquiries({ title, enquiries }: EnquiriesProps) {
  if (enquiries.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className={css.title}>{title}</h2>
      <ul>
        {enquiries.map((one) => (
          <Row key={one.id} enquiry={one} />
        ))}
      </ul>
    </section>
  )
}

function Row({ enquiry }: { readonly enquiry: Enquiry }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { license_class, created_at, phone, email, message, state, student_id } = enquiry
  const times = timesOf(enquiry, school)
  return (
    <li className={css.row} aria-label={nameOf(enquiry)}>
      <p>
        <strong>{nameOf(enquiry)}</strong> · {license_class}
      </p>
      <p className={css.hint}>
        {momentText(created_at, school)}
        {times && ` · ${t('enquiry.times', { times })}`}
      </p>
      <ContactLinks phone={phone} phone_2={null} email={email} />
      {message && <p className={css.message}>{message}</p>}
      <Same ids={enquiry.same_as} />
      {state === 'new' && <Actions enquiry={enquiry} />}
      {state !== 'new' && (
        <p className={css.hint}>
          {t(`enquiry.is.${state}`)} {student_id && <StudentLink id={student_id} />}
        </p>
      )}
    </li>
  )
}

/** Returns the wished days and hours; undefined for any. */
function timesOf({ weekdays, time_from, time_to }: Enquiry, { format }: School): string | undefined {
  const days = weekdays?.map((day) => weekdayName(day, format)).join(', ')
  const hours = time_from || time_to ? `${time_from ?? '00:00'}–${time_to ?? '24:00'}` : undefined
  return [days, hours].filter(Boolean).join(', ') || undefined
}

/** Links to the students who are possibly the same person. */
function Same({ ids }: { readonly ids: readonly string[] }) {
  const { student } = useSchool()
  const { t } = useTranslation()
  const known = ids.filter((id) => student.has(id))
  if (known.length === 0) return null
  return (
    <p className={css.same}>
      {t('enquiry.same')}{' '}
      {known.map((id) => (
        <StudentLink key={id} id={id} />
      ))}
    </p>
  )
}

function StudentLink({ id }: { readonly id: string }) {
  const { student } = useSchool()
  const known = student.get(id)
  if (!known) return null
  return (
    <Link className={css.link} to="/students" search={{ student: id }}>
      {nameOf(known)}
    </Link>
  )
}

function Actions({ enquiry }: { readonly enquiry: Enquiry }) {
  const school = useSchool()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { t } = useTranslation()
  const [isBusy, setBusy] = useState(false)
  const name = nameOf(enquiry)
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true)
    await work()
    setBusy(false)
  }
  const context = { client, school, t }
  const take = async () => {
    const made = await enrol(context, enquiry)
    if (made) void navigate({ to: '/students', search: { student: made.id } })
  }
  return (
    <div className={css.actions}>
      <Button
        look="primary"
        isBusy={isBusy}
        aria-label={t('enquiry.enrolWhom', { name })}
        onClick={() => void run(take)}
      >
        {t('enquiry.enrol')}
      </Button>
      <Button
        disabled={isBusy}
        aria-label={t('enquiry.closeWhose', { name })}
        onClick={() => void run(() => close(context, enquiry))}
      >
        {t('enquiry.close')}
      </Button>
    </div>
  )
}
