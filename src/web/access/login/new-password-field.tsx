import { useTranslation } from 'react-i18next'
import { PASSWORD_BYTES } from '../../../domain/ranges.ts'
import { PasswordField } from '../../ui/dialogs/text-fields.tsx'

type NewPasswordFieldProps = { readonly value: string; readonly onChange: (password: string) => void }

/** A new password, which the browser offers to store. */
export function NewPasswordField({ value, onChange }: NewPasswordFieldProps) {
  const { t } = useTranslation()
  return (
    <PasswordField
      label={t('access.password')}
      description={t('access.passwordHint')}
      autoComplete="new-password"
      minLength={PASSWORD_BYTES.min}
      withAsterisk={false}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autoFocus
    />
  )
}
