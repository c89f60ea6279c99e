// TODO: finish this
int  badly( int laidOut );
