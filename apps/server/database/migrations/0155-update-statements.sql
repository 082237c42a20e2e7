-- What the holder of the key says of an update file (name, version, machines, counter, downgrade, size, hash), and the signature
-- of that text. Null: the file was signed by a former release's tool.
alter table update_files
  add column statement text check (statement like 'floorcast player update%' and length(statement) <= 1000),
  add column statement_signature text check (statement_signature ~ '^[A-Za-z0-9+/]{86}==$'),
  add constraint update_files_statement check ((statement is null) = (statement_signature is null));
