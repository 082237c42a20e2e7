/** For each call of the contract a test that shows it, as `file › name`, nested names apart by ` > `. */
export const apiTests: Readonly<Record<string, string>> = {
  'session.authenticate':
    'apps/server/src/features/auth/auth.test.ts › signing in > answers a wrong password and an unknown email alike: 400',
  'session.endSession': 'apps/server/src/features/auth/auth.test.ts › a session > ends when told, at once',
  'session.makeTicket':
    'apps/server/src/features/auth/auth.test.ts › a ticket > opens its path while its session lives, for 10 minutes, and nothing else',
  'session.readProfile':
    'apps/server/src/features/auth/auth.test.ts › the profile > keeps what is saved and leaves the rest',
  'session.readSession':
    'apps/server/src/features/auth/auth.test.ts › a session > ends after 12 idle hours; each use restarts them',
  'session.register':
    'apps/server/src/features/auth/auth.test.ts › registering > refuses an email that is taken, however it is written',
  'session.saveProfile':
    'apps/server/src/features/auth/auth.test.ts › the profile > keeps what is saved and leaves the rest',
  'mailedLinks.confirmAccount':
    'apps/server/src/features/mail/mail.test.ts › registering with a mail server > creates the account when its owner opens the link and sets the password',
  'mailedLinks.forgotPassword':
    'apps/server/src/features/mail/mail.test.ts › a forgotten password > is replaced by a mailed link, once and within an hour',
  'mailedLinks.readLink':
    'apps/server/src/features/mail/mail.test.ts › invitations and resets with a mail server > go to the address, and the admin never holds the link',
  'mailedLinks.requestAccount':
    'apps/server/src/features/mail/mail.test.ts › registering with a mail server > answers alike for an email that a user has, and tells its owner',
  'secondFactor.completeSignIn':
    'apps/server/src/features/auth/second-step.test.ts › signing in with a second factor > takes the password first, which opens nothing by itself',
  'secondFactor.beginRequiredEnrollment':
    'apps/server/src/features/auth/second-factor.test.ts › a client that requires it > leads users without one to enrollment, and opens nothing before',
  'secondFactor.confirmRequiredEnrollment':
    'apps/server/src/features/auth/second-factor.test.ts › a client that requires it > leads users without one to enrollment, and opens nothing before',
  'secondFactor.readSecondFactor':
    'apps/server/src/features/auth/second-factor.test.ts › enrollment > takes the password, an app and a code of it; recovery codes are shown once',
  'secondFactor.beginEnrollment':
    'apps/server/src/features/auth/second-factor.test.ts › enrollment > takes the password, an app and a code of it; recovery codes are shown once',
  'secondFactor.confirmEnrollment':
    'apps/server/src/features/auth/second-factor.test.ts › enrollment > counts for nothing before a code has confirmed it',
  'secondFactor.renewRecoveryCodes':
    'apps/server/src/features/auth/second-step.test.ts › signing in with a second factor > takes a recovery code instead, once, as it was copied or typed',
  'secondFactor.removeSecondFactor':
    'apps/server/src/features/auth/second-factor.test.ts › a second factor > is removed by its owner with the password',
  'secondFactor.requireSecondFactor':
    'apps/server/src/features/auth/second-factor.test.ts › a client that requires it > is asked by its admins with full rights and a factor alone, and only for their own client',
  'secondFactor.removeUserSecondFactor':
    'apps/server/src/features/auth/second-factor.test.ts › a second factor > that is lost is removed by an admin of the client for another user, on record; the sessions end',
  'passkeys.beginPasskeySignIn':
    'apps/server/src/features/auth/passkeys.test.ts › a passkey > signs in without a password, and is a second factor for who gives one',
  'passkeys.signInByPasskey':
    'apps/server/src/features/auth/passkeys.test.ts › a passkey > signs in without a password, and is a second factor for who gives one',
  'passkeys.beginPasskey':
    'apps/server/src/features/auth/passkeys.test.ts › a passkey > is added with the password alone, and ends the other sessions',
  'passkeys.addPasskey':
    'apps/server/src/features/auth/passkeys.test.ts › a passkey > is added with the password alone, and ends the other sessions',
  'passkeys.removePasskey':
    'apps/server/src/features/auth/passkeys.test.ts › a passkey > is removed by its owner with the password; with the last one the password alone signs in',
  'deviceImport.importDevices':
    'apps/server/src/features/device-import/device-import.test.ts › an import > adds a thousand devices with keys, in their groups, and records each',
  'deviceImport.exportLicenseKeys':
    'apps/server/src/features/devices/license-keys.test.ts › the csv of license keys > has all devices of a filter, over several statements, and none of another client',
  'mediaCredits.exportCredits':
    'apps/server/src/features/media/media-credits.test.ts › the csv of credits > has what the list shows, of this client, and a reader may take it',
  'mediaCredits.importCredits':
    'apps/server/src/features/media/media-credits.test.ts › the csv of credits > is imported all or none, with errors by row',
  'charts.readActiveDevicesChart':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'charts.readFreeSpaceChart':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'charts.readLoadChart1':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'charts.readLoadChart15':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'charts.readLoadChart5':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'charts.readPlaysChart':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'charts.readAvailabilityChart':
    'apps/server/src/features/charts/active-devices.test.ts › the charts of connectivity > shares the online time of each day',
  'charts.readPlaysByHour':
    'apps/server/src/features/charts/charts.test.ts › the chart of plays > counts the same on the card and by hour of day in a zone',
  'charts.readDeviceMap':
    'apps/server/src/features/charts/device-map.test.ts › the map > shows devices by coordinates, else by country, and lists those that are nowhere',
  'proof.downloadProof':
    'apps/server/src/features/proof/proof.test.ts › a signed proof of play > has each play once, and the totals of a plain count; impressions by hour',
  'proof.readProofKeys':
    'apps/server/src/features/proof/proof-signatures.test.ts › a signed proof of play > is of the key that the server names, and of no other client’s',
  'proof.listProofKeys':
    'apps/server/src/features/proof/proof-signatures.test.ts › the key of a client > that others may have is named to all who verify, of former proofs too, and replaced',
  'proof.markProofKey':
    'apps/server/src/features/proof/proof-signatures.test.ts › the key of a client > that others may have is named to all who verify, of former proofs too, and replaced',
  'proof.renewProofKey':
    'apps/server/src/features/proof/proof-signatures.test.ts › the key of a client > can be renewed: former proofs stay valid by the retired key; all is audited',
  'reports.alert1':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.alert1Preview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.alert2':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.alert2Preview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.alert3':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.alert3Preview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r1ext':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r1extPreview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r2':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r2Preview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r3':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r3Preview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.s1ext':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.s1extPreview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.s2ext':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.s2extPreview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.statetx':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.statetxPreview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.tags':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.tagsPreview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.r2Recent':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'reports.r3Recent':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'reports.tagsRecent':
    'apps/server/src/spec-client.test.ts › a client written from the specification alone > reads its charts, and downloads its reports',
  'reports.rights':
    'apps/server/src/features/reports/rights-report.test.ts › rights: a file of it, escaped, for this client alone',
  'reports.rightsPreview':
    'apps/server/src/features/reports/rights-report.test.ts › rights: a file of it, escaped, for this client alone',
  'reports.proof':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'reports.proofPreview':
    'apps/server/src/features/reports/reports.test.ts › every report > answers a preview and a file',
  'devices.addDevice':
    "apps/server/src/features/devices/devices.test.ts › the plan's limit > is kept when many are added at once",
  'devices.deleteDevice':
    'apps/server/src/features/devices/devices.test.ts › a device > is not deleted while it is in a group: 409',
  'devices.deleteManyDevices':
    'apps/server/src/platform/lib/bulk-ends.test.ts › deleting many ends in one code > of devices',
  'devices.editDevice':
    'apps/server/src/features/devices/devices.test.ts › a device > plays at 70 until its slider is moved',
  'deviceFilters.listDeviceFilterValues':
    'apps/server/src/features/devices/device-filters.test.ts › the values of a filter > are found by their names without accents, twenty at a time, with the names of those that are chosen',
  'devices.listDeviceLog':
    'apps/server/src/features/devices/devices.test.ts › logs > hold each kind separately, newest first, between two moments',
  'devices.listDevices':
    'apps/server/src/features/devices/devices.test.ts › a device > is not deleted while it is in a group: 409',
  'devices.listFreeDevices':
    'apps/server/src/features/devices/devices.test.ts › a device > is not deleted while it is in a group: 409',
  'devices.listLastPlays':
    'apps/server/src/features/dashboard/dashboard.test.ts › the dashboard > counts devices, media and plays, is seconds old and says so',
  'devices.readDevice':
    'apps/server/src/features/devices/devices.test.ts › the license key > is shown with its install line until a player binds it, and opens nothing for another one afterwards',
  'devices.resetHeartbeat':
    'apps/server/src/features/devices/devices.test.ts › connectivity > is never up again after the heartbeat is reset',
  'devices.resetLicense':
    'apps/server/src/features/devices/devices.test.ts › the license key > a new one ends the former token and may be bound by another player',
  'groups.addGroup':
    'apps/server/src/features/groups/groups.test.ts › a group > is made paused and empty, and found by name',
  'groups.addToGroup':
    'apps/server/src/features/groups/groups.test.ts › membership > is of one group at most, even when two ask at once',
  'groups.changeGroupState':
    'apps/server/src/features/groups/groups.test.ts › a group > takes many toggles from one state as one',
  'groups.copyGroup':
    'apps/server/src/features/groups/groups.test.ts › a copy > has the tags and profiles, and no devices',
  'groups.deleteGroup':
    'apps/server/src/features/groups/groups.test.ts › a group > goes to the bin with its devices set free',
  'groups.deleteManyGroups':
    'apps/server/src/platform/lib/bulk.test.ts › deleting many > by a filter takes all pages of it and leaves the excepted',
  'groups.deleteUnusedGroups':
    'apps/server/src/platform/lib/bulk.test.ts › deleting the unused > takes what nothing uses, of each kind',
  'groups.editGroup':
    'apps/server/src/features/groups/groups.test.ts › a group > refuses a stale version: 409, and nothing is lost',
  'groups.listGroups':
    'apps/server/src/features/groups/groups.test.ts › a group > is made paused and empty, and found by name',
  'groups.readGroup':
    'apps/server/src/features/groups/groups.test.ts › a group > is made paused and empty, and found by name',
  'groups.removeFromGroup':
    'apps/server/src/features/groups/groups.test.ts › membership > may change while the group is active; leaving another group is refused',
  'media.deleteManyMedia':
    'apps/server/src/platform/lib/bulk-ends.test.ts › deleting many ends in one code > of media',
  'media.deleteMedia':
    'apps/server/src/features/media/media.test.ts › one item > goes to the bin; a used one stays: 921 with the names of its playlists',
  'media.deleteUnusedMedia':
    'apps/server/src/platform/lib/bulk.test.ts › deleting the unused > takes what nothing uses, of each kind',
  'media.editMedia':
    'apps/server/src/features/media/media.test.ts › one item > is edited, and a stale edit is refused with 409',
  'media.listMedia':
    'apps/server/src/features/media/media.test.ts › a list of media > begins with the newest, in pages',
  'media.listMediaGroups': 'apps/server/src/features/media/media.test.ts › one item > says where it is used',
  'media.listMediaPlaylists':
    'apps/server/src/features/media/media.test.ts › one item > says where it is used',
  'media.readMedia':
    'apps/server/src/features/media/media.test.ts › one item > is edited, and a stale edit is refused with 409',
  'media.readMediaFile':
    'apps/server/src/features/media/media-delivery.test.ts › the bytes of an item > come whole, with their type, hash and name',
  'media.readMediaPreview':
    'apps/server/src/features/media/media-delivery.test.ts › the bytes of an item > of its preview come as the image they are; without one there is none',
  'media.uploadMedia':
    'apps/server/src/features/media/media-upload.test.ts › an upload > of an MP3 becomes a melody with its exact length and hash, and its loudness follows',
  'uploads.beginUpload':
    'apps/server/src/features/uploads/resumable-uploads.test.ts › a resumable upload > comes in pieces, and becomes what the same file in a form becomes',
  'uploads.cancelUpload':
    'apps/server/src/features/uploads/resumable-uploads.test.ts › an upload that is cancelled > takes its bytes and its reservation with it',
  'uploads.continueUpload':
    'apps/server/src/features/uploads/resumable-uploads.test.ts › a resumable upload > comes in pieces, and becomes what the same file in a form becomes',
  'uploads.followUpload':
    'apps/server/src/features/uploads/resumable-uploads.test.ts › a resumable upload > that lost its last answer is told the same outcome, and nothing is stored twice',
  'playlistTracks.addTracks':
    'apps/server/src/features/playlists/playlists.test.ts › many tracks > go to the end in their order, all or none',
  'playlists.addPlaylist':
    'apps/server/src/features/playlists/playlists.test.ts › a playlist > is made simple, paused and empty',
  'playlists.addTrack':
    'apps/server/src/features/playlists/playlists.test.ts › a track > goes to the end, as often as wanted',
  'playlists.changePlaylistState':
    'apps/server/src/features/playlists/playlists.test.ts › a playlist > is changed while paused only',
  'playlists.clonePlaylist':
    'apps/server/src/features/playlists/playlist-copies.test.ts › a copy > has everything but the state and name, and changes alone',
  'playlists.deleteManyPlaylists':
    'apps/server/src/platform/lib/bulk-ends.test.ts › deleting many ends in one code > of playlists',
  'playlists.deletePlaylist':
    'apps/server/src/features/smart-playlists/smart-playlists.test.ts › a smart playlist goes to the bin, comes back whole, and is purged with its day',
  'playlists.deleteUnusedPlaylists':
    'apps/server/src/platform/lib/bulk.test.ts › deleting the unused > takes what nothing uses, of each kind',
  'playlists.editPlaylist':
    'apps/server/src/features/playlists/playlists.test.ts › a playlist > refuses an end before the start that is kept',
  'playlists.listPlaylists':
    'apps/server/src/features/smart-playlists/smart-import.test.ts › a draft with its plan > of videos makes a video playlist; weights are kept',
  'playlists.moveTrack':
    'apps/server/src/features/playlists/playlists.test.ts › concurrent calls > keep positions dense and unique',
  'playlists.readPlaylist':
    'apps/server/src/features/smart-playlists/smart-playlists.test.ts › a smart playlist is not changed track by track; its name and dates are',
  'playlists.readPlaylistSource':
    'apps/server/src/features/smart-playlists/smart-import.test.ts › a draft with its plan > of videos makes a video playlist; weights are kept',
  'playlists.readPlaylistWithTracks':
    'apps/server/src/features/playlists/playlists.test.ts › a playlist > is made simple, paused and empty',
  'playlists.removeTrack':
    'apps/server/src/features/playlists/playlists.test.ts › a track > is not moved or removed when something else is there now',
  'playlists.uploadM3u':
    'apps/server/src/features/playlists/playlist-import.test.ts › an M3U upload > makes a paused playlist of files that are there, by name alone',
  'smartPlaylists.importSmartPlaylist':
    'apps/server/src/features/smart-playlists/smart-import.test.ts › a draft with its plan > becomes a smart playlist, paused, audited, with the plan as it was sent',
  'deployments.addPublication':
    "apps/server/src/features/publications/publications.test.ts › a publication > binds no other client's group or playlist",
  'deployments.changePublicationState':
    'apps/server/src/features/publications/publications.test.ts › turning on > of a state that is stale answers 409',
  'deployments.delayPublication':
    'apps/server/src/features/publications/delayed-start.test.ts › a delayed start > takes one of many at once for a group',
  'deployments.deleteManyPublications':
    'apps/server/src/platform/lib/bulk-ends.test.ts › deleting many ends in one code > of publications',
  'deployments.deletePublication':
    'apps/server/src/features/publications/publications.test.ts › while it is on > only its name and description change; it is not deleted',
  'deployments.deleteUnusedPublications':
    'apps/server/src/platform/lib/bulk.test.ts › deleting the unused > takes what nothing uses, of each kind',
  'deployments.editPublication':
    'apps/server/src/features/publications/publications.test.ts › while it is on > only its name and description change; it is not deleted',
  'deployments.listPublications':
    'apps/server/src/features/publications/delayed-start.test.ts › a delayed start > waits beside the one in force, one at most, and takes over at its moment',
  'deployments.listPublicationDevices':
    'apps/server/src/features/publications/publication-devices.test.ts › the devices of a publication > are counted as they report, and listed with the ones first that miss files',
  'deployments.readPublication':
    'apps/server/src/features/publications/publications.test.ts › a publication > is made disabled',
  'deployments.replacePublicationPlaylist':
    'apps/server/src/features/publications/publication-replace.test.ts › replacing what a group plays > does not return to a playlist that is being edited: 3',
  'deployments.returnPublicationPlaylist':
    'apps/server/src/features/publications/publication-replace.test.ts › replacing what a group plays > swaps while it stays on, and returns',
  'deployments.selectGroups':
    'apps/server/src/features/publications/publications.test.ts › what may be picked > are groups and playlists with their state, by kind',
  'deployments.selectPlaylists':
    'apps/server/src/features/publications/publications.test.ts › what may be picked > are groups and playlists with their state, by kind',
  'publish.previewPublish':
    'apps/server/src/features/publications/publish.test.ts › publishing > activates the paused playlist and group and turns the publication on, as the preview says',
  'publish.publish':
    'apps/server/src/features/publications/publish.test.ts › publishing > makes a group of the chosen devices that are free and fit',
  'bulkDevices.preview':
    'apps/server/src/features/device-bulk/device-bulk.test.ts › many devices > go to the recycle bin by the filter of the list, except one',
  'bulkDevices.change':
    'apps/server/src/features/device-bulk/device-bulk.test.ts › many devices > get a tag; an existing one gets the new value',
  'bulkGroups.preview':
    'apps/server/src/platform/lib/bulk-states.test.ts › many groups > are activated and paused; one in force stays, and says why before and after',
  'bulkGroups.change':
    'apps/server/src/platform/lib/bulk-states.test.ts › many groups > are activated and paused; one in force stays, and says why before and after',
  'bulkPlaylists.preview':
    'apps/server/src/platform/lib/bulk-states.test.ts › many playlists > are activated but for empty ones, and paused but for those on the air',
  'bulkPlaylists.change':
    'apps/server/src/platform/lib/bulk-states.test.ts › many playlists > are activated but for empty ones, and paused but for those on the air',
  'bulkPublications.preview':
    'apps/server/src/platform/lib/bulk-states.test.ts › many publications > are turned on where group and playlist are ready, and off',
  'bulkPublications.change':
    'apps/server/src/platform/lib/bulk-states.test.ts › many publications > are turned on where group and playlist are ready, and off',
  'bulkMedia.preview':
    'apps/server/src/platform/lib/bulk-states.test.ts › many media > are counted before they are deleted: those in playlists stay',
  'bulkRecycle.preview':
    'apps/server/src/features/recycle-bin/purge-many.test.ts › purging many > of media frees their storage, as the preview says; one that a playlist in the bin needs stays',
  'bulkRecycle.restore':
    'apps/server/src/features/recycle-bin/restore-many.test.ts › restoring many > gives back as many devices as the plan allows, over a batch too',
  'bulkRecycle.purge':
    'apps/server/src/features/recycle-bin/purge-many.test.ts › purging many > empties the bin a thousand a call, each item recorded',
  'savedViews.listSavedViews':
    'apps/server/src/features/saved-views/saved-views.test.ts › saved views > belong to a list and to their user, with what they show',
  'savedViews.addSavedView':
    'apps/server/src/features/saved-views/saved-views.test.ts › saved views > belong to a list and to their user, with what they show',
  'savedViews.editSavedView':
    'apps/server/src/features/saved-views/saved-views.test.ts › a view > is renamed and changed, once for each version',
  'savedViews.shareSavedView':
    'apps/server/src/features/saved-views/saved-views.test.ts › a shared view > is seen by all users, and changed by those with full rights',
  'savedViews.deleteSavedView':
    'apps/server/src/features/saved-views/saved-views.test.ts › a shared view > is seen by all users, and changed by those with full rights',
  'recycle.listBin':
    'apps/server/src/features/recycle-bin/recycle-bin.test.ts › the bin > says who deleted what and when, and when it goes',
  'recycle.listDependents':
    'apps/server/src/features/recycle-bin/recycle-bin.test.ts › dependents of an item > are listed before it is deleted',
  'recycle.purge':
    'apps/server/src/features/recycle-bin/recycle-bin.test.ts › who may > purges after the subscription has ended, and restores nothing then',
  'recycle.restore':
    'apps/server/src/features/recycle-bin/recycle-bin.test.ts › who may > lets the user who deleted an item restore it for ten minutes, then only admins',
  'audit.readAudit':
    'apps/server/src/features/audit/audit.test.ts › the audit > filters by time: from a moment, until before another',
  'tags.addTag':
    'apps/server/src/features/tags/tags.test.ts › tags > are added, changed, listed by key and deleted',
  'tags.deleteTag':
    'apps/server/src/features/tags/tags.test.ts › tags > are added, changed, listed by key and deleted',
  'tags.editTag':
    'apps/server/src/features/tags/tags.test.ts › tags > are added, changed, listed by key and deleted',
  'tags.importTags': 'apps/server/src/features/tags/tags.test.ts › an import > sets all, by uid or name',
  'tags.listTags':
    'apps/server/src/features/tags/tags.test.ts › tags > are added, changed, listed by key and deleted',
  'tags.readEffectiveTags':
    'apps/server/src/features/tags/tags.test.ts › what a device plays by > is the tags in force, which reach its manifest',
  'tags.setTagPolicy':
    'apps/server/src/features/tags/tags.test.ts › a policy > set many times at once is set',
  'profiles.changeProfileState':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › profiles > are listed by type and state, for admins',
  'profiles.deleteProfile':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › a profile > reaches devices when it is activated, stays so while edited, and goes when deleted',
  'profiles.editProfile':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › a profile > reaches devices when it is activated, stays so while edited, and goes when deleted',
  'profiles.listProfileStates':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › profiles > say what types and states there are',
  'profiles.listProfileTypes':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › profiles > say what types and states there are',
  'profiles.listProfiles':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › profiles > are listed by type and state, for admins',
  'profiles.readProfileCard':
    'apps/server/src/features/device-profiles/device-profiles.test.ts › a profile > needs a name and a type, keeps its type, and takes groups of its client only',
  'alerts.beginAlert':
    'apps/server/src/features/alerts/alerts.test.ts › an alert > begun many times at once is one',
  'alerts.endAlert':
    'apps/server/src/features/alerts/alerts.test.ts › an alert > reaches the devices it is for, until its end',
  'alerts.listOpenAlerts':
    'apps/server/src/features/alerts/alerts.test.ts › an alert > reaches the devices it is for, until its end',
  'alerts.listAlerts':
    'apps/server/src/features/alert-progress/alert-progress.test.ts › the history > says who, when, for what and on how many devices, and keeps it',
  'alerts.readAlertReach':
    'apps/server/src/features/alert-progress/alert-progress.test.ts › before an alert begins > the devices that it would reach are counted, and those that are reachable',
  'alertDevices.readAlert':
    'apps/server/src/features/alert-progress/alert-progress.test.ts › the progress of an alert > counts and lists the devices by what they have done with it, those first that need a person',
  'alertDevices.listAlertDevices':
    'apps/server/src/features/alert-progress/alert-progress.test.ts › the progress of an alert > is filtered, searched, sorted and paged',
  'sessions.endOtherSessions':
    'apps/server/src/features/auth/user-sessions.test.ts › the sessions of a user > end one by one, or all others at once, and the audit says so',
  'sessions.endOwnSession':
    'apps/server/src/features/auth/user-sessions.test.ts › the sessions of a user > end one by one, or all others at once, and the audit says so',
  'sessions.endUserSessions':
    'apps/server/src/features/auth/user-sessions.test.ts › the sessions of a user > are listed and ended by an admin of the client, and by no other',
  'sessions.listOwnSessions':
    'apps/server/src/features/auth/user-sessions.test.ts › the sessions of a user > are listed with browser, address, last use, and which one this is',
  'sessions.listUserSessions':
    'apps/server/src/features/auth/user-sessions.test.ts › the sessions of a user > are listed and ended by an admin of the client, and by no other',
  'plans.listPlans':
    'apps/server/src/features/tenants/plans.test.ts › plans > are listed, the client’s own marked',
  'plans.requestPlan':
    'apps/server/src/features/tenants/plans.test.ts › a request for a plan > is one of a client, with its date, until the operator changes the plan',
  'plans.withdrawPlanRequest':
    'apps/server/src/features/tenants/plans.test.ts › a request for a plan > is withdrawn, and may be for another plan',
  'users.acceptLink':
    'apps/server/src/features/tenants/users.test.ts › users > get a new password by a link that ends their sessions',
  'users.changePassword':
    'apps/server/src/features/tenants/users.test.ts › users > change their own password; other sessions end, this one goes on',
  'users.editUser':
    'apps/server/src/features/tenants/users.test.ts › users > change at once, and their sessions end with them',
  'users.inviteUser':
    'apps/server/src/features/tenants/users.test.ts › an invitation > lets a user in by its link, once',
  'users.listUsers':
    'apps/server/src/features/tenants/users.test.ts › users > are seen and changed by admins of their client only',
  'users.removeUser':
    'apps/server/src/features/tenants/users.test.ts › users > keep an admin with full rights, even when two admins remove each other at once',
  'users.resetUser':
    'apps/server/src/features/tenants/users.test.ts › users > get a new password by a link that ends their sessions',
  'updates.listUpdateDevices':
    'apps/server/src/features/updates/update-devices.test.ts › devices are listed by pages, in order, none of another client',
  'updates.readUpdateKey':
    'apps/server/src/features/updates/update-key.test.ts › a signed update file > is taken as it is without a key, but leaves no draft; with one only with the signature that fits',
  'updates.setUpdateKey':
    'apps/server/src/features/updates/update-key.test.ts › a signed update file > is taken as it is without a key, but leaves no draft; with one only with the signature that fits',
  'updateFiles.addUpdateFile':
    'apps/server/src/features/updates/update-files.test.ts › files in packages > are shared, excluded from drafts alone, and deleted when no package holds them: 409 with the names',
  'updateFiles.deleteUpdateFile':
    'apps/server/src/features/updates/update-files.test.ts › files in packages > are shared, excluded from drafts alone, and deleted when no package holds them: 409 with the names',
  'updateFiles.editUpdateFile':
    'apps/server/src/features/updates/update-files.test.ts › files in packages > are renamed in the lists; a stale edit is 409',
  'updateFiles.listUpdateFiles':
    'apps/server/src/features/updates/update-files.test.ts › files in packages > are renamed in the lists; a stale edit is 409',
  'updatePackages.addPackage':
    'apps/server/src/features/updates/updates.test.ts › rotation > lets no package out of its draft without a file',
  'updatePackages.deletePackage':
    'apps/server/src/features/updates/update-packages.test.ts › packages > that a channel has are not deleted, nor channels that have packages: 409 with the names',
  'updatePackages.editPackage':
    'apps/server/src/features/updates/update-packages.test.ts › packages > are made, listed, found, ordered by version, changed as drafts only and deleted',
  'updatePackages.excludeFile':
    'apps/server/src/features/updates/update-files.test.ts › files in packages > are shared, excluded from drafts alone, and deleted when no package holds them: 409 with the names',
  'updatePackages.listPackageFiles':
    'apps/server/src/features/updates/update-files.test.ts › an update file > is uploaded into a draft, hashed, listed and delivered to the devices that it is offered to',
  'updatePackages.listPackages':
    'apps/server/src/features/updates/update-packages.test.ts › packages > are made, listed, found, ordered by version, changed as drafts only and deleted',
  'updatePackages.readPackage':
    'apps/server/src/features/updates/updates.test.ts › rotation > lets no package out of its draft without a file',
  'updatePackages.rotatePackage':
    'apps/server/src/features/updates/update-files.test.ts › an update file > is refused when it is empty, has no name, is named as another of the package, or comes twice',
  'updatePackages.uploadUpdateFile':
    'apps/server/src/features/updates/update-files.test.ts › an update file > counts as storage: 903 where the plan has no room, and nothing is left of it',
  'updateChannels.addChannel':
    'apps/server/src/features/updates/update-packages.test.ts › channels > name groups of their client, and show what they reach',
  'updateChannels.deleteChannel':
    'apps/server/src/features/updates/update-packages.test.ts › packages > that a channel has are not deleted, nor channels that have packages: 409 with the names',
  'updateChannels.editChannel':
    'apps/server/src/features/updates/update-packages.test.ts › channels > name groups of their client, and show what they reach',
  'updateChannels.listChannels':
    'apps/server/src/features/updates/update-packages.test.ts › channels > name groups of their client, and show what they reach',
  'updateChannels.rotateChannel':
    'apps/server/src/features/updates/updates.test.ts › what devices are to install > is a released package, deployed and on, of an open channel; each of the three takes it away',
  'deployPackages.addDeployPackage':
    'apps/server/src/features/updates/updates.test.ts › what devices are to install > is a released package, deployed and on, of an open channel; each of the three takes it away',
  'deployPackages.deleteDeployPackage':
    'apps/server/src/features/updates/update-packages.test.ts › packages > that a channel has are not deleted, nor channels that have packages: 409 with the names',
  'deployPackages.editDeployPackage':
    'apps/server/src/features/updates/update-packages.test.ts › packages > are put on a channel once; what is on is not moved to another',
  'deployPackages.listDeployPackages':
    'apps/server/src/features/updates/update-packages.test.ts › packages > are put on a channel once; what is on is not moved to another',
  'deployPackages.rotateDeployPackage':
    'apps/server/src/features/updates/updates.test.ts › what devices are to install > is a released package, deployed and on, of an open channel; each of the three takes it away',
  'dashboard.readLimits':
    "apps/server/src/features/dashboard/dashboard.test.ts › the dashboard > tells the plan's limits and what is used of them",
  'dashboard.readQuickMetrics':
    'apps/server/src/features/dashboard/dashboard.test.ts › the dashboard > is empty for a new client',
  'live.followLive':
    'apps/server/src/features/change-feed/change-feed.test.ts › the live stream > does not keep the server from closing',
  'deviceDay.readDeviceDay':
    'apps/server/src/features/device-day/device-day.test.ts › shows the day of the device’s own zone as scheduled and as played, with gaps and their reasons',
  'listening.readListening':
    'apps/server/src/features/listening/listening.test.ts › a manager gets what the device plays, its manifest and its files',
  'listening.readListeningMedia':
    'apps/server/src/features/listening/listening.test.ts › another client’s device and file, one that left its group and one in the recycle bin are not found',
  'deviceCommands.listDeviceCommands':
    'apps/server/src/features/device-commands/device-commands.test.ts › a command goes to the connected device, and the card shows who asked, and that it was followed',
  'deviceCommands.readScreenshot':
    'apps/server/src/features/device-commands/device-commands.test.ts › a screenshot of a video device is on its card; an audio device shows no picture',
  'deviceCommands.readSentLog':
    'apps/server/src/features/device-commands/device-commands.test.ts › the log is for admins alone, and is a download',
  'deviceCommands.sendCommand':
    'apps/server/src/features/device-commands/device-commands.test.ts › a command goes to the connected device, and the card shows who asked, and that it was followed',
  'deviceCommands.sendDeviceFile':
    'apps/server/src/features/device-commands/device-commands.test.ts › a screenshot of a video device is on its card; an audio device shows no picture',
  'deviceProtocol.openDeviceSession':
    'apps/server/src/features/device-channel/device-channel.test.ts › another session of the device begins: the former is told and goes, the new one stays',
  'deviceProtocol.openStreamingSession':
    'apps/server/src/features/device-api/streaming-sessions.test.ts › the newest player reports; a page that was replaced is refused until it is loaded again',
  'deviceProtocol.proveServer':
    'apps/server/src/features/device-api/server-proofs.test.ts › a server proves each of its addresses by the license key of the device, and no other',
  'deviceProtocol.readDeviceMedia':
    'apps/server/src/features/device-api/device-media.test.ts › a device takes the files that are published to its client, whole or from where it stopped',
  'deviceProtocol.readDevicePicture':
    'apps/server/src/features/device-api/device-media.test.ts › a device takes the preview image of a file that it plays, and of no other',
  'deviceProtocol.readDeviceUpdate':
    'apps/server/src/features/updates/update-files.test.ts › an update file > is uploaded into a draft, hashed, listed and delivered to the devices that it is offered to',
  'deviceProtocol.readProgramme':
    'apps/server/src/features/manifests/programmes.test.ts › a device gets no programme but those that its manifest names',
  'deviceProtocol.readManifest':
    'apps/server/src/features/device-channel/device-channel.test.ts › a change is told to the connected device, which then reads it',
  'deviceProtocol.sendEvents':
    'apps/server/src/features/device-api/device-api.test.ts › a gap is seen, also beside a refused event, and closes when the rest arrives',
  'deviceProtocol.sendHeartbeat':
    'apps/server/src/features/ingest/heartbeats.test.ts › a heartbeat that cannot be stored is refused, and those beside it are kept',
  'delivery.readDelivery':
    'apps/server/src/features/delivery-report/delivery-report.test.ts › what was promised, planned and made of an ad, and why they differ',
}
