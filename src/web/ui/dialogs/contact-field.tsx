import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EMAIL_LENGTH, PHONE_LENGTH } from '../../../domain/ranges.ts'
import { telOf } from '../tel-of.ts'
import css from './contact-field.module.css'
import { TextField } from './text-fields.tsx'

/** The pattern of a public e-mail address: its domain has a dot. */
const PUBLIC_EMAIL = /@[^@]+\.[^@.]{2,}$/

const KINDS = {
  tel: { maxLength: PHONE_LENGTH.max, isOdd: (text: string) => telOf(text) === undefined, hint: 'oddPhone' },
  email: {
    maxLength: EMAIL_LENGTH.max,
    isOdd: (text: string) => !PUBLIC_EMAIL.test(text),
    hint: 'oddEmail',
  },
} as const

type ContactFieldProps = {
  readonly kind: keyof typeof KINDS
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** A phone number or an e-mail address. A probable mistake is marked amber on blur, but saved anyway. */
export function ContactField({ kind, label, value, onChange }: ContactFieldProps) {
  const { t } = useTranslation()
  const [isLeft, setLeft] = useState(true)
  const { maxLength, isOdd, hint } = KINDS[kind]
  const isMarked = isLeft && value.trim() !== '' && isOdd(value.trim())
  return (
    <TextField
      label={label}
      type={kind}
      value={value}
      onChange={onChange}
      maxLength={maxLength}
      description={isMarked && <span className={css.odd}>{t(`text.${hint}`)}</span>}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
    />
  )
}
