import {
  PasswordInput,
  type PasswordInputProps,
  Textarea,
  TextInput,
  type TextInputProps,
} from '@mantine/core'
import { NOTES_LENGTH } from '../../domain/ranges.ts'

type TextFieldProps = Omit<TextInputProps, 'onChange'> & { readonly onChange?: (text: string) => void }

/** A line of text, below its label. */
export function TextField({ onChange, ...more }: TextFieldProps) {
  return <TextInput {...more} onChange={({ currentTarget }) => onChange?.(currentTarget.value)} />
}

type NotesFieldProps = {
  readonly label: string
  readonly value: string
  readonly onChange: (notes: string) => void
}

/** Notes: a field that grows with them, up to six lines. */
export function NotesField({ label, value, onChange }: NotesFieldProps) {
  return (
    <Textarea
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={NOTES_LENGTH.max}
      autosize
      minRows={2}
      maxRows={6}
    />
  )
}

/** A password, which has to be given, and can be made to be seen. */
export function PasswordField(props: PasswordInputProps) {
  return <PasswordInput required {...props} />
}
