export const deUsers = {
  users: {
    invite: 'Benutzer einladen',
    edit: 'Benutzer ändern',
    owner: 'Darf alles, auch Benutzer und Einstellungen.',
    office: 'Darf alles außer Benutzern und Einstellungen.',
    instructor: 'Sieht die eigenen Fahrstunden und trägt ein, wie sie verlaufen sind.',
    choose: 'Fahrlehrer wählen',
    nobody: 'Unterrichtet nicht',
    teaches: 'Wer auch unterrichtet, bekommt „Mein Tag“, den eigenen Kalender und Anfragen dazu.',
    you: 'Sie',
    state: 'Zugang',
    active: 'aktiv',
    disabled: 'gesperrt',
    invited: 'eingeladen bis {{until}}',
    expired: 'Einladung abgelaufen',
    seen: 'Zuletzt aktiv',
    seenToday: 'heute',
    seenLongAgo: 'nicht in den letzten 30 Tagen',
    invitedDone: '{{name}} ist eingeladen',
    inviteSubmit: 'Einladen',
    done: 'Fertig',
    newLink: 'Neuer Einladungslink',
    newLinkHint: 'Ein neuer Link ersetzt den alten.',
    resetLink: 'Link für ein neues Passwort',
    resetLinkHint: 'Das alte Passwort gilt, bis mit dem Link ein neues gewählt ist.',
    link: 'Link',
    linkOnce: 'Der Link wird nur jetzt gezeigt und gilt einmal, bis {{until}}. Geben Sie ihn nur {{name}}.',
    linkMailed: 'Er wurde auch an {{email}} geschickt.',
    copy: 'Link kopieren',
    copied: 'Kopiert',
    notCopied: 'Bitte markieren und kopieren Sie den Link selbst.',
    lock: 'Sperren',
    unlock: 'Entsperren',
    lockTitle: '{{name}} sperren?',
    lockText:
      '{{name}} wird sofort überall abgemeldet und kann sich nicht mehr anmelden, bis ein Inhaber entsperrt. Offene Links gelten nicht mehr. Fahrstunden bleiben, wie sie sind.',
    lockSelf:
      'Das sind Sie selbst: Sie werden sofort abgemeldet, und nur ein anderer Inhaber kann Sie wieder hereinlassen.',
    demoteTitle: 'Die eigene Rolle abgeben?',
    demoteText:
      'Danach können Sie keine Benutzer und Einstellungen mehr ändern; nur ein anderer Inhaber kann Ihnen die Rolle zurückgeben.',
    demote: 'Rolle abgeben',
    locked: '{{name}} ist gesperrt',
    unlocked: '{{name}} kann sich wieder anmelden',
    notDelivered: 'nicht zugestellt: {{reason}}',
    notYetDelivered: 'noch nicht zugestellt: {{reason}}',
    mailHint: 'Stimmt {{email}}? Dann senden Sie einen neuen Link. Sonst berichtigen Sie die Adresse.',
    mailResetHint: 'Senden Sie einen neuen Link an {{email}}, oder übergeben Sie ihn selbst.',
    emailRequested: 'Wird zu {{email}}, sobald beide Adressen bestätigt haben.',
    sendAgain: 'Erneut senden',
    correct: 'Adresse berichtigen',
    correctTitle: 'Adresse von {{name}} berichtigen',
    correctText: 'Die Einladung gilt dann für die neue Adresse, mit einem neuen Link. Der alte Link endet.',
    correctSubmit: 'Neu einladen',
    withdraw: 'Einladung zurückziehen',
    withdrawTitle: 'Einladung von {{name}} zurückziehen?',
    withdrawText:
      'Der Link gilt dann nicht mehr, und {{name}} steht nicht mehr unter den Benutzern. Sie können jederzeit neu einladen.',
    withdrawn: 'Einladung von {{name}} zurückgezogen',
  },
  access: {
    email_taken:
      'Mit dieser E-Mail-Adresse meldet sich schon jemand an, hier oder in einer anderen Fahrschule.',
    last_owner:
      'Das ist der letzte Inhaber, der sich anmelden kann. Machen Sie zuerst jemand anderen zum Inhaber.',
    invitation_accepted: 'Die Einladung ist inzwischen angenommen.',
    user_inactive: 'Dieser Benutzer kann sich gerade nicht anmelden.',
    tooManyMails_one:
      'Ihre Fahrschule hat zu viele Links in kurzer Zeit verschickt, insgesamt oder an diese Person. In {{count}} Minute geht es wieder.',
    tooManyMails_other:
      'Ihre Fahrschule hat zu viele Links in kurzer Zeit verschickt, insgesamt oder an diese Person. In {{count}} Minuten geht es wieder.',
    forgotten: 'Passwort vergessen?',
    resetTitle: 'Neues Passwort',
    resetAsk: 'Mit welcher E-Mail-Adresse melden Sie sich an?',
    resetSend: 'Link anfordern',
    resetSent:
      'Wenn sich jemand mit {{email}} anmeldet, kommt gleich eine Nachricht mit einem Link. Er gilt 30 Minuten; einen neuen können Sie frühestens nach 20 Minuten anfordern.',
    resetNoMail:
      'Von hier werden keine E-Mails verschickt. Bitten Sie den Inhaber Ihrer Fahrschule um einen Link: unter „Benutzer“ kann er einen erstellen.',
    resetDone: 'Das neue Passwort gilt. Alle anderen Sitzungen sind beendet.',
    invitationTitle: 'Willkommen bei {{school}}',
    invitationText: 'Guten Tag {{name}}, wählen Sie Ihr Passwort; danach sind Sie angemeldet.',
    invitationSubmit: 'Passwort festlegen',
    other:
      'In diesem Browser ist {{name}} angemeldet. Wenn Sie weitermachen, werden stattdessen Sie angemeldet.',
    gone: 'Dieser Link gilt nicht: Er ist abgelaufen, schon benutzt oder durch einen neueren ersetzt. Wenn Sie schon ein Passwort gewählt haben, melden Sie sich damit an; sonst bitten Sie um einen neuen.',
    emailTitle: 'Neue E-Mail-Adresse',
    emailText:
      'Guten Tag {{name}}, bei {{school}} sollen Sie sich künftig mit {{email}} anmelden. Ist das richtig?',
    emailConfirm: 'Ja, bestätigen',
    emailStop: 'Nein, abbrechen',
    emailWaitsForNew:
      'Danke. Die neue Adresse gilt, sobald auch der Link bestätigt ist, der an sie geschickt wurde. Bis dahin gilt die bisherige.',
    emailWaitsForOld:
      'Danke. Die neue Adresse gilt, sobald auch der Link bestätigt ist, der an die bisherige geschickt wurde. Bis dahin gilt die bisherige.',
    emailDone: 'Die neue Adresse gilt. Sie sind überall abgemeldet; melden Sie sich mit {{email}} wieder an.',
    emailStopped:
      'Die Änderung ist abgebrochen. Die bisherige Adresse bleibt. Wenn Sie die Änderung nicht veranlasst haben, ändern Sie Ihr Passwort.',
    emailGone: 'Dieser Link gilt nicht: Er ist abgelaufen, schon erledigt oder durch einen neueren ersetzt.',
    password: 'Neues Passwort',
    passwordHint: 'Mindestens 8 Zeichen.',
    toLogin: 'Zur Anmeldung',
  },
}

export type UsersTexts = typeof deUsers
