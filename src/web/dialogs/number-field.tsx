import { NumberInput, type NumberInputProps } from '@mantine/core'

type NumberFieldProps = Omit<NumberInputProps, 'onChange' | 'allowDecimal' | 'allowNegative' | 'suffix'> & {
  readonly isMinutes?: boolean
  /** Called with nothing when the field is emptied. */
  readonly onChange: (value: number | '') => void
}

/** A whole number. */
export function NumberField({ isMinutes = false, onChange, ...more }: NumberFieldProps) {
  return (
    <NumberInput
      {...more}
      onChange={(value) => onChange(value === '' ? '' : Number(value))}
      allowDecimal={false}
      allowNegative={false}
      suffix={isMinutes ? ' min' : ''}
    />
  )
}
