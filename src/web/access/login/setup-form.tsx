import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { NAME_LENGTH, PASSWORD_BYTES } from '../../../domain/ranges.ts'
import { ApiProblem } from '../../data/send.ts'
import { logInAt } from '../../data/session.ts'
import { Button } from '../../ui/button.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { PasswordField, TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { FieldGroup } from '../../ui/field-group.tsx'
import { Notice } from '../../ui/notice.tsx'
import login from './login-page.module.css'
import { PlaceFields } from './place-fields.tsx'
import css from './setup-page.module.css'

type SetupFormProps = {
  /** Empty if the page was opened without the link. */
  readonly codeOfLink: string
  /** Called if the service rejects the code: somebody else may have been first. */
  readonly onRefused: () => void
}

export function SetupForm({ codeOfLink, onRefused }: SetupFormProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => logInAt('/setup', setupOf(form, codeOfLink)),
    onSuccess: () => navigate({ to: '/' }),
    onError: (failure) => isRefused(failure) && onRefused(),
  })
  const isWrongCode = isRefused(error)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    mutate(new FormData(event.currentTarget))
  }

  return (
    <form className={css.form} onSubmit={submit}>
      <p className={login.intro}>{t('setup.intro')}</p>
      <Mantine>
        {(codeOfLink === '' || isWrongCode) && <CodeField />}
        <FieldGroup title={t('setup.school')}>
          <div className={css.fields}>
            <TextField
              name="school"
              label={t('setup.schoolName')}
              maxLength={NAME_LENGTH.max}
              required
              withAsterisk={false}
            />
            <PlaceFields />
          </div>
        </FieldGroup>
        <FieldGroup title={t('setup.owner')}>
          <OwnerFields />
        </FieldGroup>
      </Mantine>
      <FailureNotice error={error} text={isWrongCode && t('setup.wrongCode')} />
      <Button type="submit" look="primary" className={login.submit} isBusy={isPending}>
        {t('setup.submit')}
      </Button>
    </form>
  )
}

function CodeField() {
  const { t } = useTranslation()
  return (
    <>
      <Notice kind="warn" title={t('setup.whereTitle')}>
        {t('setup.where')}
      </Notice>
      <TextField
        name="code"
        label={t('setup.code')}
        autoComplete="off"
        spellCheck={false}
        required
        withAsterisk={false}
      />
    </>
  )
}

function OwnerFields() {
  const { t } = useTranslation()
  return (
    <div className={css.fields}>
      <TextField
        name="name"
        label={t('setup.ownerName')}
        autoComplete="name"
        maxLength={NAME_LENGTH.max}
        required
        withAsterisk={false}
      />
      <TextField
        name="email"
        type="email"
        label={t('login.email')}
        autoComplete="username"
        required
        withAsterisk={false}
      />
      <PasswordField
        name="password"
        label={t('field.password')}
        description={t('setup.passwordHint')}
        autoComplete="new-password"
        minLength={PASSWORD_BYTES.min}
        withAsterisk={false}
      />
    </div>
  )
}

function isRefused(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('not_found')
}

/** Returns the request body. A typed code replaces that of a rejected link. */
function setupOf(form: FormData, codeOfLink: string) {
  const text = (name: string) => String(form.get(name) ?? '')
  return {
    // Accepts a pasted link as well as its code.
    token: text('code').split('#').at(-1)?.trim() || codeOfLink,
    school: {
      name: text('school'),
      country: text('country'),
      timezone: text('timezone'),
      locale: text('locale'),
    },
    owner: { name: text('name'), email: text('email'), password: text('password') },
  }
}
