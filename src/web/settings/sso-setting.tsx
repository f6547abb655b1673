import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { IdentityProvider, NewIdentityProvider } from '../../contract/identity-provider.ts'
import { useProved } from '../access/account/use-proved.tsx'
import { ceremonyMessage } from '../access/login/ceremony-messages.ts'
import { ApiProblem } from '../data/send.ts'
import { identityProvider, removeIdentityProvider, setIdentityProvider } from '../data/sso.ts'
import { Button } from '../ui/button.tsx'
import { SwitchField } from '../ui/dialogs/switch-field.tsx'
import { TextField } from '../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { FieldGroup } from '../ui/field-group.tsx'
import layout from '../ui/layout.module.css'
import { Failure, Loading } from '../ui/states.tsx'
import { toast } from '../ui/toasts.ts'

/** The identity provider at which users of the school log in. */
export function SsoSetting() {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(identityProvider)
  return (
    <FieldGroup title={t('sso.setting')} hint={t('sso.settingHint')}>
      {data === undefined ? (
        isError ? (
          <Failure error={error} retry={refetch} />
        ) : (
          <Loading />
        )
      ) : (
        <Fields key={data?.updated_at} stored={data} />
      )}
    </FieldGroup>
  )
}

const EMPTY = { issuer: '', client_id: '', client_secret: '', required: false }

function Fields({ stored }: { readonly stored: IdentityProvider | null }) {
  const client = useQueryClient()
  const { t } = useTranslation()
  const [form, setForm] = useState(() => ({ ...EMPTY, ...stored }))
  const refresh = () => client.invalidateQueries({ queryKey: identityProvider.queryKey })
  const save = useProved(setIdentityProvider, async () => {
    await refresh()
    toast({ kind: 'done', text: t('sso.saved') })
  })
  const remove = useProved(removeIdentityProvider, async () => {
    await refresh()
    toast({ kind: 'done', text: t('sso.removed') })
  })
  const { issuer, client_id, client_secret, required } = form
  const given: NewIdentityProvider = {
    ...{ issuer: issuer.trim(), client_id: client_id.trim(), required },
    ...(client_secret !== '' && { client_secret }),
  }
  return (
    <>
      <FailureNotice error={save.error ?? remove.error} explain={explain} />
      <TextField
        label={t('sso.issuer')}
        placeholder="https://login.example/realms/school"
        value={issuer}
        onChange={(text) => setForm({ ...form, issuer: text })}
      />
      <TextField
        label={t('sso.clientId')}
        value={client_id}
        onChange={(text) => setForm({ ...form, client_id: text })}
      />
      <TextField
        label={t('sso.secret')}
        description={stored ? t('sso.secretKept') : undefined}
        type="password"
        autoComplete="off"
        value={client_secret}
        onChange={(text) => setForm({ ...form, client_secret: text })}
      />
      <SwitchField
        label={t('sso.required')}
        isOn={required}
        onChange={(isOn) => setForm({ ...form, required: isOn })}
      />
      {stored && (
        <>
          <TextField label={t('sso.callback')} value={stored.callback_url} readOnly />
          <TextField label={t('sso.logout')} value={stored.logout_url} readOnly />
          <TextField label={t('sso.login')} value={stored.login_url} readOnly />
        </>
      )}
      <div className={layout.ending}>
        {stored && (
          <Button look="remove" isBusy={remove.isBusy} onClick={() => remove.run(undefined)}>
            {t('sso.remove')}
          </Button>
        )}
        <Button
          isBusy={save.isBusy}
          disabled={given.issuer === '' || given.client_id === ''}
          onClick={() => save.run(given)}
        >
          {t('sso.save')}
        </Button>
      </div>
      {save.dialog}
      {remove.dialog}
    </>
  )
}

function explain(error: unknown, t: TFunction): string {
  const fault = error instanceof ApiProblem ? error.body.errors?.[0] : undefined
  if (fault?.code === 'unreachable') return t('sso.unreachable')
  if (fault?.pointer === '/issuer') return t('sso.invalid')
  return fault?.pointer === '/client_secret' ? t('sso.secretNeeded') : ceremonyMessage(error, t)
}
