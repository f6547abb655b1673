import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Tenant } from '../../contract/tenant.ts'
import { useProved } from '../access/account/use-proved.tsx'
import { ceremonyMessage } from '../access/login/ceremony-messages.ts'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { changeTenant } from './use-save-settings.ts'

/** Requires a second factor of every user, or no longer, after a proof of identity. */
export function SecondFactorSetting() {
  const client = useQueryClient()
  const { tenant } = useSchool()
  const { t } = useTranslation()
  const { run, error, isBusy, dialog } = useProved(
    (second_factor: Tenant['second_factor']) =>
      changeTenant({ seen: tenant, change: { second_factor } }, { client }),
    ({ second_factor }) =>
      toast({ kind: 'done', text: t(second_factor === 'required' ? 'factor.demanded' : 'factor.freed') }),
  )
  return (
    <FieldGroup title={t('factor.school')} hint={t('factor.schoolHint')}>
      <FailureNotice error={error} explain={ceremonyMessage} />
      <SwitchField
        label={t('factor.demand')}
        isOn={tenant.second_factor === 'required'}
        onChange={(isOn) => !isBusy && run(isOn ? 'required' : 'optional')}
      />
      {dialog}
    </FieldGroup>
  )
}
