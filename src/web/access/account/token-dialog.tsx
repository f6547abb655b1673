import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MadeApiToken, NewApiToken } from '../../../contract/api-token.ts'
import type { UserRole } from '../../../contract/auth.ts'
import { API_TOKEN_DAYS, NAME_LENGTH } from '../../../domain/ranges.ts'
import { makeApiToken } from '../../data/account.ts'
import { Button } from '../../ui/button.tsx'
import { isChanged } from '../../ui/changed-fields.ts'
import { Choice } from '../../ui/dialogs/choice.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { NumberField } from '../../ui/dialogs/number-field.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import { useSchool } from '../../ui/school.tsx'
import { useCopying } from '../../ui/use-copying.ts'
import { useProved } from './use-proved.tsx'

const ROLES: readonly UserRole[] = ['owner', 'office', 'instructor']
const SCOPES: readonly NewApiToken['scope'][] = ['read', 'write']

/** Makes an API token and shows it once. An owner's has the rights of the office by default. */
export default function TokenDialog({ onClose }: { onClose: () => void }) {
  const { user } = useSchool()
  const { t } = useTranslation()
  const [empty] = useState<TokenForm>({
    name: '',
    role: user.role === 'owner' ? 'office' : user.role,
    scope: 'read',
    days: 90,
  })
  const [form, setForm] = useState(empty)
  const [made, setMade] = useState<MadeApiToken>()
  const making = useProved(makeApiToken, setMade)
  const edit = (change: Partial<TokenForm>) => setForm({ ...form, ...change })
  const below = ROLES.slice(ROLES.indexOf(user.role)).filter(
    (role) => role !== 'instructor' || user.instructor_id !== null,
  )
  if (made) return <Made token={made} onClose={onClose} />
  return (
    <>
      <FormDialog
        title={t('account.tokenAdd')}
        submit={t('account.tokenMake')}
        isBusy={making.isBusy}
        isFilled={isChanged(form, empty)}
        onSubmit={() => {
          const { days, ...more } = form
          if (days !== '') making.run({ ...more, name: form.name.trim(), expires_in_days: days })
        }}
        onClose={onClose}
      >
        <TextField
          label={t('account.name')}
          description={t('account.tokenNameHint')}
          value={form.name}
          onChange={(name) => edit({ name })}
          maxLength={NAME_LENGTH.max}
          required
          data-autofocus
        />
        <Choice
          label={t('account.tokenScope')}
          hint={t(`account.scopeHint.${form.scope}`)}
          data={SCOPES.map((scope) => ({ value: scope, label: t(`account.scope.${scope}`) }))}
          value={form.scope}
          onChange={(scope) => edit({ scope: SCOPES.find((one) => one === scope) ?? form.scope })}
        />
        <Choice
          label={t('field.role')}
          data={below.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          value={form.role}
          onChange={(role) => edit({ role: below.find((one) => one === role) ?? form.role })}
        />
        <NumberField
          label={t('account.tokenDays')}
          {...API_TOKEN_DAYS}
          value={form.days}
          onChange={(days) => edit({ days })}
        />
        <FailureNotice error={making.error} />
      </FormDialog>
      {making.dialog}
    </>
  )
}

type TokenForm = Pick<NewApiToken, 'name' | 'role' | 'scope'> & { readonly days: number | '' }

/** The new token. Only its button closes the dialog, so that no stray click loses it. */
function Made({ token, onClose }: { token: MadeApiToken; onClose: () => void }) {
  const { t } = useTranslation()
  const { field, outcome, copy } = useCopying(token.token)
  return (
    <Dialog
      title={token.name}
      onClose={onClose}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Notice kind="warn">{t('account.tokenOnce')}</Notice>
      <TextField
        ref={field}
        label={t('account.token')}
        value={token.token}
        readOnly
        onFocus={({ target }) => target.select()}
      />
      <p role="status">{outcome && t(`account.${outcome}`)}</p>
      <div className={layout.ending}>
        <Button icon="copy" onClick={copy}>
          {t('account.copy')}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t('account.tokenKept')}
        </Button>
      </div>
    </Dialog>
  )
}
