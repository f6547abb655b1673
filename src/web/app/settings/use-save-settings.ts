import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Bootstrap } from '../../../contract/bootstrap.ts'
import type { Tenant, TenantChange } from '../../../contract/tenant.ts'
import { bootstrap } from '../../data/bootstrap.ts'
import { patchRead } from '../../data/patch-read.ts'
import { changing, useEdit } from '../../data/write-queue.ts'
import { changedFields } from '../../ui/changed-fields.ts'
import { toast } from '../../ui/toasts.ts'
import { placeIn } from './place.ts'
import { type SettingsForm, settingsOf } from './settings-form.ts'

/** Changes the school; the names that come with another language are read when its change is heard of. */
const changeTenant = changing<Tenant, TenantChange>({
  path: '/tenant',
  isSingle: true,
  store: (client, tenant) =>
    patchRead<Bootstrap>(client, bootstrap.queryKey, (read) => ({ ...read, tenant })),
})

/**
 * Saves what was changed in the form, which stays open. `opened` is the school as the form has it from: what differs from it
 * was changed here. Where somebody else was first, the next save changes what they have left.
 */
export function useSaveSettings(tenant: Tenant, onSaved: (saved: Tenant, sent: SettingsForm) => void) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(tenant)
  const { save, error, isBusy } = useEdit<Tenant, Tenant, SettingsForm>(tenant, {
    write: (form, seen, writing) =>
      changeTenant({ seen, change: withWholePlace(changedFields(settingsOf(form), opened), form) }, writing),
    onSaved: (saved, sent) => {
      setOpened(saved)
      onSaved(saved, sent)
      toast({ kind: 'done', text: t('person.saved', { name: saved.name }) })
    },
  })
  return { save, opened, error, isBusy }
}

/** The service takes a place whole, also where only one of its numbers has changed. */
function withWholePlace(change: TenantChange, form: SettingsForm): TenantChange {
  const isMoved = change.latitude !== undefined || change.longitude !== undefined
  return isMoved ? { ...change, ...placeIn(form.place) } : change
}
