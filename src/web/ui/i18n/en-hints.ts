import type { HintTexts } from './de-hints.ts'

export const enHints: HintTexts = {
  choice: {
    open: 'Please choose from the list.',
    nothing: 'Nothing found',
    more_one: '{{count}} more: type more letters.',
    more_other: '{{count}} more: type more letters.',
  },
  same: {
    title: 'Is this person already here?',
    phone: '{{name}} has the same phone number.',
    email: '{{name}} has the same e-mail address.',
    birth_date: '{{name}} has the same name and birthday.',
    name: '{{name}} has the same name.',
    open: 'Open',
    take: 'Take this one',
  },
  warning: {
    in_the_past: 'This time is in the past: {{day}}.',
    far_ahead: 'This time is more than nine months ahead: {{day}}.',
    no_student: '“{{type}}” without a student.',
    class_not_taught: '{{instructor}} does not teach class {{license_class}}.',
    not_required: '{{template}} does not ask for the type “{{type}}”.',
    requirement_already_met:
      '“{{type}}”: {{required}} u are required; {{done}} u are done and {{planned}} u are planned.',
    not_dark: '“{{type}}” in daylight: it is dark from {{from}} to {{until}}.',
    never_dark: '“{{type}}” in daylight: it does not get dark.',
    vehicle_not_fitting: 'The vehicle{{vehicle}} does not suit class {{license_class}}.',
  },
}
