import {
  PasswordInput,
  type PasswordInputProps,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { useState } from 'react'
import { EMAIL_LENGTH, NOTES_LENGTH } from '../../../domain/ranges.ts'
import { useLength } from '../use-length.ts'
import { useOwnMessages } from './own-messages.ts'

type TextFieldProps = Omit<TextInputProps, 'onChange'> & {
  readonly onChange?: (text: string) => void
}

export function TextField({ onChange, maxLength, ref, ...more }: TextFieldProps) {
  const messages = useOwnMessages(more.value)
  const [typed, setTyped] = useState('')
  const { field, fault } = useLength<HTMLInputElement>(String(more.value ?? typed), maxLength)
  return (
    <TextInput
      {...messages}
      {...more}
      ref={ref ?? field}
      error={fault ?? more.error}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        onChange?.(currentTarget.value)
      }}
    />
  )
}

/** A required field for an e-mail address. */
export function EmailField(props: TextFieldProps) {
  return <TextField type="email" maxLength={EMAIL_LENGTH.max} required {...props} />
}

type NotesFieldProps = {
  readonly label: string
  readonly description?: string
  readonly error?: string | false
  readonly value: string
  /** Two by default. */
  readonly minRows?: number
  readonly maxLength?: number
  readonly onChange: (notes: string) => void
}

/** A field that grows up to six lines. */
export function NotesField({
  label,
  description,
  error,
  value,
  minRows = 2,
  maxLength = NOTES_LENGTH.max,
  onChange,
}: NotesFieldProps) {
  const { field, fault } = useLength<HTMLTextAreaElement>(value, maxLength)
  return (
    <Textarea
      ref={field}
      label={label}
      description={description}
      error={error || fault}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      autosize
      minRows={minRows}
      maxRows={6}
    />
  )
}

type WrappedFieldProps = {
  readonly label: string
  readonly value: string
  readonly maxLength: number
  readonly error: string | false
  readonly onChange: (text: string) => void
}

/** A text field without a visible label; the text wraps instead of being clipped. */
export function WrappedField({ label, value, maxLength, error, onChange }: WrappedFieldProps) {
  const { field, fault } = useLength<HTMLTextAreaElement>(value, maxLength)
  return (
    <Textarea
      ref={field}
      aria-label={label}
      error={fault ?? error}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replaceAll('\n', ' '))}
      autosize
      minRows={1}
    />
  )
}

/** A required password that can be shown. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput required {...useOwnMessages(props.value)} {...props} />
}
