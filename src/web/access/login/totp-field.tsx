import { useTranslation } from 'react-i18next'
import { TextField } from '../../ui/dialogs/text-fields.tsx'

type TotpFieldProps = { readonly name: string; readonly autoFocus?: boolean }

/** A field for the code of an authenticator app, which phones offer to fill in. */
export function TotpField({ name, autoFocus }: TotpFieldProps) {
  const { t } = useTranslation()
  return (
    <TextField
      name={name}
      label={t('factor.code')}
      autoComplete="one-time-code"
      inputMode="numeric"
      placeholder="000000"
      maxLength={20}
      required
      withAsterisk={false}
      autoFocus={autoFocus}
      data-autofocus
    />
  )
}
