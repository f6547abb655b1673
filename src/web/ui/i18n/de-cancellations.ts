export const deCancellations = {
  cancellation: {
    one: 'Absage',
    by: { student: 'vom Fahrschüler', school: 'von der Fahrschule' },
    because: { illness: 'Krankheit', weather: 'Wetter', vehicle: 'Fahrzeug', other: 'anderer Grund' },
    late: 'zu spät',
    inTime: 'rechtzeitig',
    fee: 'Gebühr: {{percent}} % des Preises',
    noFee: 'keine Gebühr',
  },
}

export type CancellationTexts = typeof deCancellations
