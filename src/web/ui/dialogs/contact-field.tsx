import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { pastedEmail, pastedPhone } from '../../../domain/pasted.ts'
import { EMAIL_LENGTH, PHONE_LENGTH } from '../../../domain/ranges.ts'
import { useSchool } from '../school.tsx'
import { telOf } from '../tel-of.ts'
import css from './contact-field.module.css'
import { TextField } from './text-fields.tsx'

/** The pattern of a public e-mail address: its domain has a dot. */
const PUBLIC_EMAIL = /@[^@]+\.[^@.]{2,}$/

const KINDS = {
  tel: {
    maxLength: PHONE_LENGTH.max,
    isOdd: (text: string) => telOf(text) === undefined,
    hint: 'oddPhone',
    pasted: pastedPhone,
  },
  email: {
    maxLength: EMAIL_LENGTH.max,
    isOdd: (text: string) => !PUBLIC_EMAIL.test(text),
    hint: 'oddEmail',
    pasted: pastedEmail,
  },
} as const

type ContactFieldProps = {
  readonly kind: keyof typeof KINDS
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
}

/** Whether no message could be sent to a number. The lengths of all countries are loaded with the first one that is typed. */
function useUncertain(phone: string): boolean {
  const { country } = useSchool().tenant
  const [uncertain, setUncertain] = useState('')
  useEffect(() => {
    let isCurrent = phone !== ''
    const check = async () => {
      const { certainNumber } = await import('../../../domain/certain-phone.ts')
      if (isCurrent && !certainNumber(phone, country)) setUncertain(phone)
    }
    if (isCurrent) check().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [phone, country])
  return phone !== '' && phone === uncertain
}

/** A phone number or an e-mail address. A probable mistake is marked amber on blur, but saved anyway. */
export function ContactField({ kind, label, value, onChange }: ContactFieldProps) {
  const { t } = useTranslation()
  const [isLeft, setLeft] = useState(true)
  const { maxLength, isOdd, hint, pasted } = KINDS[kind]
  const text = isLeft ? value.trim() : ''
  const odd = text !== '' && isOdd(text)
  const isUncertain = useUncertain(kind === 'tel' && !odd ? text : '')
  const warning = odd ? hint : isUncertain ? 'uncertainPhone' : undefined
  return (
    <TextField
      label={label}
      type={kind}
      value={value}
      onChange={onChange}
      maxLength={maxLength}
      description={warning && <span className={css.odd}>{t(`text.${warning}`)}</span>}
      onPaste={(event) => {
        const copied = event.clipboardData.getData('text')
        const bare = pasted(copied)
        // Other texts are pasted by the browser, at the cursor.
        if (bare === copied.trim()) return
        event.preventDefault()
        onChange(bare)
      }}
      onFocus={() => setLeft(false)}
      onBlur={() => setLeft(true)}
    />
  )
}
