import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bootstrap } from '../../contract/bootstrap.ts'
import type { Tenant, TenantChange } from '../../contract/tenant.ts'
import { bootstrap } from '../data/bootstrap.ts'
import { patchRead } from '../data/patch-read.ts'
import { changing, useEdit } from '../data/write-queue.ts'
import { toast } from '../ui/toasts.ts'
import { placeIn } from './place.ts'
import { asForm, differingSettings, type SettingsForm, settingsOf } from './settings-form.ts'

/** Changes the school and patches only it; names in a new language are read when the change arrives in the feed. */
export const changeTenant = changing<Tenant, TenantChange>({
  path: '/tenant',
  isSingle: true,
  store: (client, tenant) =>
    patchRead<Bootstrap>(client, bootstrap.queryKey, (read) => ({ ...read, tenant })),
})

/** Saves the form's changes and keeps it open. After a conflict the next save applies to the current version. */
export function useSaveSettings(tenant: Tenant, onSaved: (saved: Tenant, sent: SettingsForm) => void) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(() => asForm(tenant))
  const { save, error, isBusy } = useEdit<Tenant, Tenant, SettingsForm>(tenant, {
    write: (form, seen, writing) =>
      changeTenant(
        { seen, change: withWholePlace(differingSettings(settingsOf(form), opened), form) },
        writing,
      ),
    onSaved: (saved, sent) => {
      setOpened(asForm(saved))
      onSaved(saved, sent)
      toast({ kind: 'done', text: t('person.saved', { name: saved.name }) })
    },
  })
  return { save, opened, error, isBusy }
}

/** Adds both coordinates if one has changed: the service accepts them only together. */
function withWholePlace(change: TenantChange, form: SettingsForm): TenantChange {
  const isMoved = change.latitude !== undefined || change.longitude !== undefined
  return isMoved ? { ...change, ...placeIn(form.place) } : change
}
