-- No statement looks for a track in play_days since play_media_days has the sums by track (docs/decisions/0209): the index cost
-- each new row another entry.
drop index play_days_media;
