import { useMutation, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BusyCalendar } from '../../../contract/busy-calendar.ts'
import { addBusyCalendar, busyCalendarsOf, deleteBusyCalendar } from '../../data/busy-calendars.ts'
import { ApiProblem } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import fields from '../../ui/field.module.css'
import { momentText } from '../../ui/moment-text.ts'
import { Notice } from '../../ui/notice.tsx'
import { problemMessage } from '../../ui/problem-messages.ts'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './link-panel.module.css'

type PrivateCalendarsProps = { readonly instructorId: string }

/** The calendars that an instructor keeps elsewhere. Each change is saved at once. */
export function PrivateCalendars({ instructorId }: PrivateCalendarsProps) {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(busyCalendarsOf(instructorId))
  if (data === undefined) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    // Not fields of a surrounding form.
    <div className={css.panel} onInput={(event) => event.stopPropagation()}>
      <p className={css.intro}>{t('busy.intro')}</p>
      {data.length === 0 && <p className={css.known}>{t('busy.none')}</p>}
      {data.map((calendar) => (
        <Calendar key={calendar.id} calendar={calendar} instructorId={instructorId} />
      ))}
      <NewCalendar instructorId={instructorId} />
    </div>
  )
}

type CalendarProps = PrivateCalendarsProps & { readonly calendar: BusyCalendar }

function Calendar({
  calendar: { id, name, url, state, last_read_at, failure },
  instructorId,
}: CalendarProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [isAsked, setAsked] = useState(false)
  const remove = useMutation({ mutationFn: deleteBusyCalendar })
  const readAt = last_read_at && t('busy.readAt', { when: momentText(last_read_at, school) })
  return (
    <section className={css.panel} aria-label={name}>
      <p className={css.intro}>
        <strong>{name}</strong> ({url})
        <br />
        {readAt ?? (state === 'waiting' && t('busy.waiting'))}
      </p>
      {failure && (
        <Notice kind="warn">
          {t('busy.failing', { why: t(`busy.failures.${failure}`) })} {last_read_at && t('busy.kept')}
        </Notice>
      )}
      {isAsked && (
        <Notice kind="warn" isAnswer>
          {t('busy.removeText')}
        </Notice>
      )}
      <div className={css.buttons}>
        {isAsked && (
          <Button autoFocus onClick={() => setAsked(false)}>
            {t('action.cancel')}
          </Button>
        )}
        <Button
          look="remove"
          isBusy={remove.isPending}
          aria-label={t('busy.remove', { name })}
          onClick={() => (isAsked ? remove.mutate({ instructorId, id }) : setAsked(true))}
        >
          {t('action.delete')}
        </Button>
      </div>
      <FailureNotice error={remove.error} />
    </section>
  )
}

const EMPTY = { name: '', url: '' }

function NewCalendar({ instructorId }: PrivateCalendarsProps) {
  const { t } = useTranslation()
  const hint = useId()
  const [form, setForm] = useState(EMPTY)
  const add = useMutation({ mutationFn: addBusyCalendar, onSuccess: () => setForm(EMPTY) })
  const name = form.name.trim() || t('busy.ownName')
  const url = form.url.trim()
  const submit = () => {
    if (url !== '' && !add.isPending) add.mutate({ instructorId, name, url })
  }
  // Enter must not save the surrounding form.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    submit()
  }
  return (
    <>
      <label className={css.panel}>
        {t('busy.name')}
        <input
          className={fields.field}
          maxLength={100}
          placeholder={t('busy.ownName')}
          value={form.name}
          onChange={({ target }) => setForm({ ...form, name: target.value })}
          onKeyDown={onKeyDown}
        />
      </label>
      <label className={css.panel}>
        {t('busy.url')}
        <input
          className={fields.field}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          aria-describedby={hint}
          value={form.url}
          onChange={({ target }) => setForm({ ...form, url: target.value })}
          onKeyDown={onKeyDown}
        />
      </label>
      <p className={css.known} id={hint}>
        {t('busy.urlHint')}
      </p>
      <Button isBusy={add.isPending} disabled={url === ''} onClick={submit}>
        {t('busy.add')}
      </Button>
      <FailureNotice error={add.error} explain={faultText} />
    </>
  )
}

const FAULTS = ['invalid_format', 'not_allowed', 'no_public_address', 'too_many'] as const

function faultText(error: unknown, t: TFunction): string {
  const faults = error instanceof ApiProblem ? (error.body.errors ?? []) : []
  const found = FAULTS.find((code) => faults.some((fault) => fault.code === code))
  return found ? t(`busy.faults.${found}`) : problemMessage(error, t)
}
