import { useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { useProved } from '../access/account/use-proved.tsx'
import { ceremonyMessage } from '../access/login/ceremony-messages.ts'
import { zonesWith } from '../access/login/guesses.ts'
import { ApiProblem } from '../data/send.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/dialogs/choice.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import type { Format } from '../ui/i18n/format.ts'
import layout from '../ui/layout.module.css'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { changeTenant } from './use-save-settings.ts'

/** Corrects the time zone of the school, after a proof of identity. */
export function TimeZone() {
  const client = useQueryClient()
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const [zone, setZone] = useState(tenant.timezone)
  const { run, error, isBusy, dialog } = useProved(
    (timezone: string) => changeTenant({ seen: tenant, change: { timezone } }, { client }),
    ({ timezone }) => {
      toast({ kind: 'done', text: t('timeZone.done', { zone: nameFor(timezone) }) })
      void client.invalidateQueries()
    },
  )
  return (
    <FieldGroup title={t('field.timezone')} hint={t('timeZone.hint')}>
      <FailureNotice error={error} explain={explainIn(format)} />
      <Choice
        label={t('timeZone.zone')}
        data={zonesWith(tenant.timezone).map((value) => ({ value, label: nameFor(value) }))}
        value={zone}
        onChange={(chosen) => setZone(chosen ?? tenant.timezone)}
      />
      <div className={layout.ending}>
        <Button isBusy={isBusy} disabled={zone === tenant.timezone} onClick={() => run(zone)}>
          {t('timeZone.correct')}
        </Button>
      </div>
      {dialog}
    </FieldGroup>
  )
}

function nameFor(zone: string): string {
  return zone.replaceAll('_', ' ')
}

type Hindrance = {
  readonly appointments: number
  readonly lessons: readonly { readonly start_at: LocalDateTime }[]
}

/** Explains a failure, with the lessons whose time does not exist in the zone. */
function explainIn(format: Format) {
  return (error: unknown, t: TFunction): string => {
    if (!(error instanceof ApiProblem && error.is('in_use'))) return ceremonyMessage(error, t)
    const { appointments: count, lessons } = error.body.params as Hindrance
    const starts = lessons.map(({ start_at }) => `${format.date(dateOf(start_at))}, ${timeOf(start_at)}`)
    return t('timeZone.skipped', { count, starts: starts.join('; ') })
  }
}
